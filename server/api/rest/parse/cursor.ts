/** A text and a position in it, for the hand-written parsers of the query grammar (facts of PostgREST §3). */
import { refuse, type RestError } from "../errors.ts";

/** A name: letters, digits, `_`, blank, `$` (Unicode letters included). */
const IDENTIFIER = /[\p{L}\p{N}_ $]/u;

export class Cursor {
  readonly text: string;
  readonly #what: string;
  readonly #shown: string;
  at = 0;

  /** `what` names the thing being parsed in errors; `shown` is the text they show when it is not the parsed one. */
  constructor(text: string, what: string, shown = text) {
    this.text = text;
    this.#what = what;
    this.#shown = shown;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  get next(): string {
    return this.text[this.at] ?? "";
  }

  looksAt(word: string): boolean {
    return this.text.startsWith(word, this.at);
  }

  /** Steps over `word` if it comes next. */
  take(word: string): boolean {
    if (!this.looksAt(word)) return false;
    this.at += word.length;
    return true;
  }

  skipBlanks(): void {
    while (this.next === " " || this.next === "\t") this.at++;
  }

  /** Everything up to one of `stops`, or the end. */
  until(stops: string): string {
    const from = this.at;
    while (!this.done && !stops.includes(this.next)) this.at++;
    return this.text.slice(from, this.at);
  }

  identifier(): string {
    const from = this.at;
    for (;;) {
      const character = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
      if (this.done || !IDENTIFIER.test(character)) break;
      this.at += character.length;
    }
    return this.text.slice(from, this.at);
  }

  /** The text between double quotes, `\x` standing for x; null (and no step) when it is not closed. */
  quoted(): string | null {
    const from = this.at;
    if (!this.take('"')) return null;
    let value = "";
    while (!this.done) {
      const character = this.next;
      this.at++;
      if (character === '"') return value;
      if (character === "\\") {
        value += this.next;
        this.at++;
      } else value += character;
    }
    this.at = from;
    return null;
  }

  /** 400 PGRST100 at this position. */
  fail(...expected: string[]): RestError {
    const character = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
    const found = this.done ? "end of input" : `"${character === '"' ? '\\"' : character}"`;
    const last = expected.at(-1) ?? "";
    const list = expected.length > 1 ? `${expected.slice(0, -1).join(", ")} or ${last}` : last;
    return refuse(
      400,
      "100",
      `"failed to parse ${this.#what} (${this.#shown})" (line 1, column ${this.at + 1})`,
      {
        details: `unexpected ${found} expecting ${list}`,
      },
    );
  }
}
