const UNITS = ["B", "KB", "MB", "GB", "TB", "PB", "EB"] as const;

/** Base 1024; one decimal from a gigabyte up, none below: "0B", "512KB", "1.5GB". "" for no or a negative size. */
export function bytes(size: number | null | undefined): string {
  if (size === null || size === undefined || !Number.isFinite(size) || size < 0) return "";
  let amount = size;
  let unit = 0;
  while (Math.round(amount) >= 1024 && unit < UNITS.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  const rounded = unit >= 3 ? Math.round(amount * 10) / 10 : Math.round(amount);
  return `${rounded}${UNITS[unit] ?? "B"}`;
}
