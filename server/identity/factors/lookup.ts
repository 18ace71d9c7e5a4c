/** Backup recovery codes: a dozen words to be kept on paper, each good once. Pure. */
import { randomInt } from "node:crypto";

export const CODES = 12;
/** Without letters that are mistaken for digits or for each other; 31 signs, so ten of them are 49 bits. */
const SIGNS = "23456789abcdefghjkmnpqrstuvwxyz";
const HALF = 5;

/** Twelve different codes, as they are shown: `k7m2x-9qhtd`. */
export function newCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < CODES) codes.add(`${signs()}-${signs()}`);
  return [...codes];
}

const signs = () => Array.from({ length: HALF }, () => SIGNS[randomInt(SIGNS.length)]).join("");

/** What was typed, as it is hashed: case, spaces and hyphens do not matter. */
export const plainCode = (typed: string): string => typed.toLowerCase().replace(/[\s-]/g, "");
