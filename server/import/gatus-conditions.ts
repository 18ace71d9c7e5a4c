/** Conditions of Gatus → fields of a check, and a test in CEL for what no field says. Pure. */
import { STATUS_CODES } from "node:http";
import { durationMs } from "#server/engines/schedule.ts";
import type { Part, Path } from "./documents.ts";
import { Refusal } from "./entry.ts";

export type EndpointKind = "http" | "tcp" | "icmp" | "dns";
export interface Conditions {
  /** Codes that pass; null: nothing was said. */
  codes: number[] | null;
  /** Milliseconds that are too many. */
  slowerThan: number | null;
  /** Days for which the certificate must be good. */
  certificateDays: number | null;
  contains: string | null;
  exactReply: string[] | undefined;
  /** CEL; all that no field says. */
  test: string | null;
}
interface Condition {
  left: string;
  operator: Operator;
  right: string;
}
type Operator = "==" | "!=" | "<" | "<=" | ">" | ">=";
const MIRRORED: Record<Operator, Operator> = {
  "==": "==",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};
const DAY_MS = 86_400_000;

/** What of a condition could be said; null: nothing. */
type Said = Partial<Omit<Conditions, "test">> & { tests?: string[] };

/** Reads all conditions; one that has no counterpart is warned of and left out. */
export function conditionsOf(
  part: Part,
  kind: EndpointKind | null,
  warn: (path: Path, message: string) => void,
): Conditions {
  const given = (part.value as { conditions?: unknown })?.conditions;
  const all: Conditions = {
    codes: null,
    slowerThan: null,
    certificateDays: null,
    contains: null,
    exactReply: undefined,
    test: null,
  };
  if (!kind) return all; // refused for its address
  const tests: string[] = [];
  (Array.isArray(given) ? given : []).forEach((text: unknown, index) => {
    const path = ["conditions", index];
    const condition = parse(String(text));
    if (condition?.left === "[CONNECTED]" && condition.right !== String(condition.operator === "=="))
      throw new Refusal(part.remark(path, "there is no check that wants something not to answer"));
    const said = condition ? saidBy(condition, kind, all) : null;
    if (!said) return warn(path, `the condition ${String(text)} has no counterpart and is left out`);
    const { tests: more = [], ...fields } = said;
    Object.assign(all, fields);
    tests.push(...more);
  });
  return { ...all, test: tests.length > 0 ? tests.join(" && ") : null };
}

function parse(text: string): Condition | null {
  const [, left = "", operator, right = ""] = /^(.+?)\s*(==|!=|<=|>=|<|>)\s*(.+)$/s.exec(text.trim()) ?? [];
  if (!operator) return null;
  const isMirrored = !/^(\[|len\(|has\()/.test(left) && /^(\[|len\(|has\()/.test(right);
  return isMirrored
    ? { left: right.trim(), operator: MIRRORED[operator as Operator], right: left.trim() }
    : { left: left.trim(), operator: operator as Operator, right: right.trim() };
}

function saidBy(condition: Condition, kind: EndpointKind, before: Conditions): Said | null {
  const { left, operator, right } = condition;
  if (left === "[CONNECTED]") return {};
  if (left === "[RESPONSE_TIME]") return timeOf(operator, right, before);
  if (kind === "dns") return answerOf(condition);
  if (kind !== "http") return null;
  if (left === "[STATUS]") return statusOf(operator, right, before);
  if (left === "[CERTIFICATE_EXPIRATION]") return certificateOf(operator, right);
  return bodyOf(condition, before);
}

function timeOf(operator: Operator, right: string, { slowerThan }: Conditions): Said | null {
  const limit = /^\d+$/.test(right) ? Number(right) : durationMs(right);
  if (!limit || (operator !== "<" && operator !== "<=")) return null;
  return { slowerThan: slowerThan === null ? limit : Math.min(slowerThan, limit) };
}

function certificateOf(operator: Operator, right: string): Said | null {
  const left = durationMs(right);
  return left && (operator === ">" || operator === ">=")
    ? { certificateDays: Math.ceil(left / DAY_MS) }
    : null;
}

/** A redirect is followed there unless it is asked for by its number, and so it is here. */
function statusOf(operator: Operator, right: string, { codes }: Conditions): Said | null {
  const values = (anyOf(right) ?? [right]).map(Number);
  if (values.some((value) => !Number.isInteger(value))) return null;
  const [value = 0] = values;
  const passes: Record<Operator, (code: number) => boolean> = {
    "==": (code) => values.includes(code),
    "!=": (code) => !values.includes(code),
    "<": (code) => code < value,
    "<=": (code) => code <= value,
    ">": (code) => code > value,
    ">=": (code) => code >= value,
  };
  const known = [...new Set([...Object.keys(STATUS_CODES).map(Number), ...values])].filter(
    (code) => code >= 200,
  );
  const fit = known.filter(
    (code) => passes[operator](code) && (operator === "==" || code < 300 || code >= 400),
  );
  return { codes: (codes ? fit.filter((code) => codes.includes(code)) : fit).sort((a, b) => a - b) };
}

function answerOf({ left, operator, right }: Condition): Said | null {
  if (left === "[DNS_RCODE]" && operator === "==" && right === "NOERROR") return {};
  if (left !== "[BODY]" || operator !== "==" || isCall(right)) return null;
  return { exactReply: [right] };
}

function bodyOf({ left, operator, right }: Condition, before: Conditions): Said | null {
  const [, call, inner = ""] = /^(len|has)\((.*)\)$/s.exec(left) ?? [];
  const path = pathOf(call ? inner : left);
  if (path === null) return null;
  if (call === "has")
    return path.length > 0 && (operator === "==" || operator === "!=") && /^(true|false)$/.test(right)
      ? {
          tests: [
            ((operator === "==") === (right === "true") ? "" : "!") + `json${optionalPath(path)}.hasValue()`,
          ],
        }
      : null;
  const value = path.length === 0 ? "content" : `json${plainPath(path)}`;
  if (call === "len") return /^\d+$/.test(right) ? { tests: [`size(${value}) ${operator} ${right}`] } : null;
  const fragment = /^pat\(\*([^*?]+)\*\)$/s.exec(right)?.[1];
  if (fragment !== undefined && path.length === 0 && operator === "==" && before.contains === null)
    return { contains: fragment };
  const test = compare(value, operator, right, path.length === 0);
  return test === null ? null : { tests: [test] };
}

function compare(value: string, operator: Operator, right: string, isText: boolean): string | null {
  const text = isText ? value : `string(${value})`;
  const not = operator === "!=" ? "!" : "";
  const pattern = /^pat\((.*)\)$/s.exec(right)?.[1];
  const isEquality = operator === "==" || operator === "!=";
  if (pattern !== undefined) return isEquality ? `${not}${text}.matches(${quote(regexOf(pattern))})` : null;
  const any = anyOf(right);
  if (any) {
    const list = `[${any.map(quote).join(", ")}]`;
    return any.some(isCall) || !isEquality ? null : `${not}(${text} in ${list})`;
  }
  if (isCall(right)) return null;
  if (!isText && /^-?\d+(\.\d+)?$/.test(right))
    return `double(${value}) ${operator} ${right.includes(".") ? right : `${right}.0`}`;
  if (!isEquality) return null;
  return !isText && /^(true|false|null)$/.test(right)
    ? `${value} ${operator} ${right}`
    : `${text} ${operator} ${quote(right)}`;
}

/** `[BODY].users[0].name` → its steps; null when it is no part of the body. */
function pathOf(text: string): (string | number)[] | null {
  const rest = /^\[BODY\](.*)$/s.exec(text)?.[1];
  if (rest === undefined) return null;
  const steps = [...rest.matchAll(/\.([^.[\]]+)|\[(\d+)\]/gy)];
  if (steps.reduce((length, [step]) => length + step.length, 0) !== rest.length) return null;
  return steps.map(([, name, index]) => name ?? Number(index));
}

const isIdentifier = (name: string) => /^[A-Za-z_]\w*$/.test(name);
const plainPath = (path: (string | number)[]) =>
  path
    .map((step) =>
      typeof step === "number" ? `[${step}]` : isIdentifier(step) ? `.${step}` : `[${quote(step)}]`,
    )
    .join("");
const optionalPath = (path: (string | number)[]) =>
  path
    .map((step) =>
      typeof step === "number" ? `[?${step}]` : isIdentifier(step) ? `.?${step}` : `[?${quote(step)}]`,
    )
    .join("");

const isCall = (text: string) => /^(pat|any|len|has|age)\(/.test(text) || text.startsWith("[");
const anyOf = (text: string): string[] | null =>
  /^any\((.*)\)$/s
    .exec(text)?.[1]
    ?.split(",")
    .map((value) => value.trim()) ?? null;
/** `*` is anything, `?` one character, as in Gatus' patterns. */
const regexOf = (pattern: string) =>
  `^${pattern
    .replace(/[\\^$.|+()[\]{}]/g, "\\$&")
    .replaceAll("*", "[\\s\\S]*")
    .replaceAll("?", "[\\s\\S]")}$`;
/** A text as CEL writes it: JSON's escapes are among its own. */
const quote = (text: string) => JSON.stringify(text);
