import type { Part, Path } from "./documents.ts";
import { Refusal } from "./entry.ts";

/** Deeper than any spec, less than what a reader's stack holds. */
const MAX_DEPTH = 100;

/** Refuses what YAML can say and the database's JSON cannot keep: NUL, half characters, numbers without an end. */
export function refuseWhatJsonCannotHold(part: Part): void {
  visit(part.value, []);

  function visit(value: unknown, path: Path): void {
    const refuse = (words: string) => {
      throw new Refusal(part.remark(path, words));
    };
    if (path.length > MAX_DEPTH) refuse("this is nested too deeply");
    if (typeof value === "string") checkText(value, refuse);
    else if (typeof value === "number" && !Number.isFinite(value)) refuse("this number cannot be kept");
    else if (Array.isArray(value)) value.forEach((inner, index) => visit(inner, [...path, index]));
    else if (typeof value === "object" && value !== null)
      for (const [key, inner] of Object.entries(value)) {
        checkText(key, refuse);
        visit(inner, [...path, key]);
      }
  }
}

function checkText(text: string, refuse: (words: string) => void): void {
  if (text.includes("\0")) refuse("the character NUL cannot be kept");
  if (/[\uD800-\uDFFF]/u.test(text)) refuse("half of a character cannot be kept");
}
