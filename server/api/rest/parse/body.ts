/**
 * Request bodies (facts of PostgREST §11). PostgreSQL parses the JSON that is stored; here it is read for its keys
 * only, and forms and CSV are turned into JSON of texts.
 */
import { refuse, type RestError } from "../errors.ts";
import { decode } from "./query-string.ts";

export type Payload =
  /** JSON: `keys` in alphabetic order; `isArray` false for one object. `isRaw`: the keys were not looked at. */
  | { kind: "json"; text: string; keys: string[]; isArray: boolean; isRaw: boolean }
  /** Text for a function's only, unnamed parameter. */
  | { kind: "raw"; text: string; type: "text" | "xml" | "bytea" };

const NOTHING: Payload = { kind: "json", text: "[]", keys: [], isArray: true, isRaw: false };

function badBody(message: string): RestError {
  return refuse(400, "102", message);
}

/** `isCall`: an empty body stands for `{}`. `hasColumns`: the query lists the keys, so they are not looked at. */
export function parseBody(
  text: string,
  contentType: string | null,
  { isCall, hasColumns }: { isCall: boolean; hasColumns: boolean },
): Payload {
  const type = (contentType ?? "application/json").split(";")[0]?.trim().toLowerCase() ?? "";
  switch (type) {
    case "application/json":
      return parseJson(isCall && text === "" ? "{}" : text, hasColumns);
    case "text/csv":
      return rows(parseCsv(text));
    case "application/x-www-form-urlencoded":
      return parseForm(text);
    case "text/plain":
      if (isCall) return { kind: "raw", text, type: "text" };
      break;
    case "text/xml":
      if (isCall) return { kind: "raw", text, type: "xml" };
      break;
    case "application/octet-stream":
      if (isCall) return { kind: "raw", text, type: "bytea" };
  }
  throw badBody(`Content-Type not acceptable: ${type}`);
}

function parseJson(text: string, isRaw: boolean): Payload {
  if (isRaw) return { kind: "json", text, keys: [], isArray: /^\s*\[/.test(text), isRaw };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badBody("Empty or invalid json");
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return NOTHING;
    const all: unknown[] = value;
    const keys = keysOf(all[0]);
    for (const item of all) {
      const own = keysOf(item);
      if (!keys || !own || own.length !== keys.length || own.some((key, at) => key !== keys[at]))
        throw badBody("All object keys must match");
    }
    return { kind: "json", text, keys: keys ?? [], isArray: true, isRaw: false };
  }
  const keys = keysOf(value);
  return keys ? { kind: "json", text, keys, isArray: false, isRaw: false } : NOTHING;
}

function keysOf(value: unknown): string[] | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.keys(value).sort()
    : null;
}

function parseForm(text: string): Payload {
  const entries = new Map<string, string>();
  for (const part of text === "" ? [] : text.split("&")) {
    const at = part.indexOf("=");
    if (at < 0) entries.set(decode(part), "");
    else entries.set(decode(part.slice(0, at)), decode(part.slice(at + 1)));
  }
  const keys = [...entries.keys()].sort();
  return {
    kind: "json",
    text: toJson(keys, (key) => entries.get(key) ?? ""),
    keys,
    isArray: false,
    isRaw: false,
  };
}

/** Written by hand, so that a key like `__proto__` is a key. */
function toJson(keys: string[], valueOf: (key: string) => string | null): string {
  return `{${keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(valueOf(key))}`).join(",")}}`;
}

function rows([header, ...lines]: string[][]): Payload {
  if (!header || lines.length === 0) throw badBody('parse error (not enough input) at ""');
  if (lines.some((line) => line.length !== header.length))
    throw badBody("All lines must have same number of fields");
  const items = lines.map((line) =>
    toJson(header, (key) => {
      const value = line[header.indexOf(key)] ?? "";
      return value === "NULL" ? null : value;
    }),
  );
  return {
    kind: "json",
    text: `[${items.join(",")}]`,
    keys: [...header].sort(),
    isArray: true,
    isRaw: false,
  };
}

/** RFC 4180: quotes doubled inside quotes; lines may end in CRLF; an empty last line is none. */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|\r|$)/y;
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (!match) throw badBody(`parse error at ${JSON.stringify(text.slice(0, 40))}`);
    line.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] === ",") {
      if (cell.lastIndex === text.length) line.push("");
      else continue;
    }
    lines.push(line);
    line = [];
  }
  if (line.length > 0) lines.push(line);
  return lines;
}
