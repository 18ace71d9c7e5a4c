/** Text: what gomplate adds to CEL's own functions. */
import { strings as standard } from "@bufbuild/cel/ext";
import type { CelFunc } from "@bufbuild/cel";
import { toCel, want } from "../values.ts";
import { both, member, piped, plain, type Value } from "./define.ts";

/** Longest text an expression may make by repeating, in characters. */
const TEXT_LIMIT = 1_000_000;

const words = (text: string) =>
  text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "");
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const slug = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase()
    .replace(/&/g, "and")
    .replace(/[^a-z0-9_]+/g, "-")
    .replace(/^-+|-+$/g, "");

function repeat(text: string, count: number): string {
  if (count < 0) throw new Error("a text cannot be repeated less than 0 times");
  if (text.length * count > TEXT_LIMIT) throw new Error(`more than ${TEXT_LIMIT} characters`);
  return text.repeat(count);
}

/** Shortened to `width` characters with dots, beginning about `offset`. */
function abbreviate(text: string, offset: number, width: number): string {
  if (width < 4) throw new Error("abbrev needs a width of at least 4");
  if (text.length <= width) return text;
  const from = Math.min(offset, text.length - width + 3);
  if (from <= 4) return `${text.slice(0, width - 3)}...`;
  if (width < 7) throw new Error("abbrev with an offset needs a width of at least 7");
  return from + width - 3 < text.length
    ? `...${text.slice(from, from + width - 6)}...`
    : `...${text.slice(text.length - width + 3)}`;
}

function wordWrap(text: string, width: number, breakWith: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join(breakWith);
}

/** As JSON quotes, which is how Go does but for a few control characters. */
const quote = (text: string) => JSON.stringify(text);
const shellQuote = (text: string) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`;

const UNITS = ["B", "K", "M", "G", "T", "P", "E"];
function humanSize(value: number): string {
  if (value < 1) return "0B";
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(value) / Math.log(1024)));
  return `${(value / 1024 ** power).toFixed(1).replace(/\.0$/, "")}${UNITS[power]}`;
}

interface Version {
  major: number;
  minor: number;
  patch: number;
  prerelease: string;
  metadata: string;
  original: string;
}
function semver(text: string): Version {
  const [, major, minor = "0", patch = "0", prerelease = "", metadata = ""] =
    /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/.exec(text.trim()) ?? [];
  if (major === undefined) throw new Error(`"${text}" is no version`);
  return {
    major: Number(major),
    minor: Number(minor),
    patch: Number(patch),
    prerelease,
    metadata,
    original: text,
  };
}

/** Whether the version satisfies the constraint: `1.2.3`, `>= 1.2, < 2`, `~1.2`, `^1.2`, alternatives with `||`. */
function satisfies(constraint: string, text: string): boolean {
  const version = semver(text);
  return constraint.split("||").some((part) =>
    part
      .trim()
      .split(/\s*,\s*|\s+(?=[<>=!~^])/)
      .every((rule) => follows(version, rule)),
  );
}
function follows(version: Version, rule: string): boolean {
  const [, sign = "", wanted = ""] = /^(>=|<=|!=|[<>=~^])?\s*(.+)$/.exec(rule.trim()) ?? [];
  if (wanted === "*") return true;
  const other = semver(wanted);
  const order = orderOf(version, other);
  const upTo = (next: Partial<Version>) =>
    order >= 0 && orderOf(version, { ...other, prerelease: "", ...next }) < 0;
  if (sign === ">") return order > 0;
  if (sign === ">=") return order >= 0;
  if (sign === "<") return order < 0;
  if (sign === "<=") return order <= 0;
  if (sign === "!=") return order !== 0;
  if (sign === "~")
    return /^v?\d+$/.test(wanted)
      ? upTo({ major: other.major + 1, minor: 0, patch: 0 })
      : upTo({ minor: other.minor + 1, patch: 0 });
  if (sign === "^")
    return other.major > 0
      ? upTo({ major: other.major + 1, minor: 0, patch: 0 })
      : other.minor > 0
        ? upTo({ minor: other.minor + 1, patch: 0 })
        : upTo({ patch: other.patch + 1 });
  return order === 0;
}
function orderOf(a: Version, b: Version): number {
  const core = a.major - b.major || a.minor - b.minor || a.patch - b.patch;
  if (core !== 0 || a.prerelease === b.prerelease) return core;
  if (a.prerelease === "" || b.prerelease === "") return a.prerelease === "" ? 1 : -1;
  return a.prerelease.localeCompare(b.prerelease, "en", { numeric: true });
}

const text = (name: string, work: (text: string) => string | bigint) =>
  both(name, 1, (given: Value) => work(want.text(given)));

export const strings: CelFunc[] = [
  ...standard,
  ...["HumanSize", "humanSize"].flatMap((name) => both(name, 1, (size) => humanSize(want.number(size)))),
  ...both("Semver", 1, (version) => toCel(semver(want.text(version)))),
  ...plain("SemverCompare", 2, (constraint, version) => satisfies(want.text(constraint), want.text(version))),
  ...member("abbrev", [2, 3], (given, a, b) =>
    b === undefined
      ? abbreviate(want.text(given), 0, want.whole(a!))
      : abbreviate(want.text(given), want.whole(a!), want.whole(b)),
  ),
  ...piped("replaceAll", 3, (given, old, by) => want.text(given).replaceAll(want.text(old!), want.text(by!))),
  ...piped("Contains", 2, (given, part) => want.text(given).includes(want.text(part!))),
  ...piped("repeat", 2, (given, count) => repeat(want.text(given), want.whole(count!))),
  ...piped("SplitN", 3, (given, by, count) => splitN(want.text(given), want.text(by!), want.whole(count!))),
  ...piped("trimPrefix", 2, (given, prefix) => {
    const [all, start] = [want.text(given), want.text(prefix!)];
    return all.startsWith(start) ? all.slice(start.length) : all;
  }),
  ...piped("trimSuffix", 2, (given, suffix) => {
    const [all, end] = [want.text(given), want.text(suffix!)];
    return end !== "" && all.endsWith(end) ? all.slice(0, -end.length) : all;
  }),
  ...piped("trunc", 2, (given, length) => want.text(given).slice(0, Math.max(0, want.whole(length!)))),
  ...piped("indent", [2, 3], (given, a, b) => {
    const [width, prefix] = b === undefined ? [1, want.text(a!)] : [want.whole(a!), want.text(b)];
    return want.text(given).replace(/^/gm, repeat(prefix, width));
  }),
  ...piped("wordWrap", [2, 3], (given, width, breakWith) =>
    wordWrap(want.text(given), want.whole(width!), breakWith === undefined ? "\n" : want.text(breakWith)),
  ),
  ...text("title", (given) =>
    given.replace(/(^|\s)(\S)/gu, (_, space: string, first: string) => space + first.toUpperCase()),
  ),
  ...text("toUpper", (given) => given.toUpperCase()),
  ...text("toLower", (given) => given.toLowerCase()),
  ...text("trimSpace", (given) => given.trim()),
  ...text("slug", slug),
  ...text("quote", quote),
  ...text("squote", (given) => `'${given.replaceAll("'", "''")}'`),
  ...text("shellQuote", shellQuote),
  ...text("snakeCase", (given) => words(given).join("_").toLowerCase()),
  ...text("kebabCase", (given) => words(given).join("-").toLowerCase()),
  ...text("camelCase", (given) => {
    const joined = words(given)
      .map((word, index) => (index === 0 ? word : capital(word)))
      .join("");
    return joined.charAt(0).toLowerCase() + joined.slice(1);
  }),
  ...text("runeCount", (given) => BigInt([...given].length)),
];

/** As Go splits: the last part is the rest. */
function splitN(given: string, by: string, count: number): string[] {
  if (count === 0) return [];
  const parts = given.split(by);
  return count < 0 || parts.length <= count
    ? parts
    : [...parts.slice(0, count - 1), parts.slice(count - 1).join(by)];
}
