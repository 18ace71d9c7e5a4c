/** Amounts as Kubernetes writes them. Each throws a sentence when it is none. */

/** `250m` is 250, `0.5` is 500. */
export function millicores(amount: string): bigint {
  const text = amount.trim();
  const number = Number(text.replace(/m$/, ""));
  if (text === "" || !Number.isFinite(number)) throw new Error(`"${text}" is no amount of CPU`);
  return BigInt(Math.trunc(text.endsWith("m") ? number : Number((number * 1000).toFixed(6))));
}

const SIZES = ["", "k", "m", "g", "t", "p", "e"];

/** `10Ki` is 10240, `1M` a million; upper or lower case. */
export function bytes(amount: string): bigint {
  const text = amount.trim();
  const [, number, unit = "", binary] = /^([\d.]+(?:e\d+)?)\s*([kmgtpe]?)(i?)b?$/i.exec(text) ?? [];
  if (number === undefined || !Number.isFinite(Number(number)))
    throw new Error(`"${text}" is no amount of memory`);
  return BigInt(Math.trunc(Number(number) * (binary ? 1024 : 1000) ** SIZES.indexOf(unit.toLowerCase())));
}
