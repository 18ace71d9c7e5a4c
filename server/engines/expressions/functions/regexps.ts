/** Regular expressions as gomplate has them: the pattern comes first, the text last. They run in a thread with a limit. */
import type { CelFunc } from "@bufbuild/cel";
import { want } from "../values.ts";
import { member, plain } from "./define.ts";

/** Go's notation where it differs: flags in front, and `(?P<name>`. */
function pattern(text: string, flags: string): RegExp {
  const [, given = "", rest = text] = /^\(\?([ims]+)\)([\s\S]*)$/.exec(text) ?? [];
  return new RegExp(rest.replaceAll("(?P<", "(?<"), flags + given + "u");
}

const find = (expression: string, text: string) => pattern(expression, "").exec(text)?.[0] ?? "";
const findAll = (expression: string, count: number, text: string) => {
  const all = Array.from(text.matchAll(pattern(expression, "g")), ([whole]) => whole);
  return count < 0 ? all : all.slice(0, count);
};

function split(expression: string, count: number, text: string): string[] {
  if (count === 0) return [];
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern(expression, "g"))) {
    if (count > 0 && parts.length === count - 1) break;
    if (match[0] === "" && (match.index === 0 || match.index === text.length)) continue;
    parts.push(text.slice(from, match.index));
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)];
}

/** `$1` and `${name}` are groups, `$$` is a dollar. */
function replace(expression: string, replacement: string, text: string): string {
  return text.replace(pattern(expression, "g"), (whole: string, ...rest: unknown[]) => {
    const named = rest.at(-1);
    const groups = typeof named === "object" && named !== null ? (named as Record<string, string>) : {};
    return replacement.replace(/\$(\$|\d+|\{(\w+)\}|[A-Za-z_]\w*)/g, (_, name: string, braced?: string) => {
      if (name === "$") return "$";
      const group = braced ?? name;
      return /^\d+$/.test(group)
        ? group === "0"
          ? whole
          : String(rest[Number(group) - 1] ?? "")
        : (groups[group] ?? "");
    });
  });
}

export const regexps: CelFunc[] = [
  ...plain("regexp.Find", 2, (expression, text) => find(want.text(expression), want.text(text))),
  ...plain("regexp.FindAll", [2, 3], (expression, ...rest) => {
    const [count, text] = rest.length === 2 ? [want.whole(rest[0]!), rest[1]!] : [-1, rest[0]!];
    return findAll(want.text(expression), count, want.text(text));
  }),
  ...plain("regexp.Match", 2, (expression, text) => pattern(want.text(expression), "").test(want.text(text))),
  ...plain("regexp.QuoteMeta", 1, (text) => want.text(text).replace(/[\\.+*?()|[\]{}^$]/g, "\\$&")),
  ...plain("regexp.Replace", 3, (expression, replacement, text) =>
    replace(want.text(expression), want.text(replacement), want.text(text)),
  ),
  ...plain("regexp.ReplaceLiteral", 3, (expression, replacement, text) =>
    want.text(text).replace(pattern(want.text(expression), "g"), () => want.text(replacement)),
  ),
  ...plain("regexp.Split", [2, 3], (expression, ...rest) => {
    const [count, text] = rest.length === 2 ? [want.whole(rest[0]!), rest[1]!] : [-1, rest[0]!];
    return split(want.text(expression), count, want.text(text));
  }),
  ...member("find", 2, (text, expression) => find(want.text(expression), want.text(text))),
  ...member("findAll", [2, 3], (text, expression, count) =>
    findAll(want.text(expression), count === undefined ? -1 : want.whole(count), want.text(text)),
  ),
];
