/** Counts. Written by hand and not by `Intl`, whose answer may differ between the server and a browser. */

/** With thousands set apart: "2,431". */
export function count(value: number): string {
  const sign = value < 0 ? "-" : "";
  return sign + String(Math.abs(Math.trunc(value))).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** For a count bar: over 999 it is "2k+", never more than there are. */
export function shortCount(value: number): string {
  return value > 999 ? `${Math.floor(value / 1000)}k+` : String(Math.trunc(value));
}

/** "1 check", "2,431 checks". The plural is given where it is not the singular with an s. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
