/** Prefer, Range and Accept (facts of PostgREST §9, §10, §13). */
import { refuse } from "../errors.ts";

export interface Preferences {
  resolution?: "merge-duplicates" | "ignore-duplicates";
  missing?: "default" | "null";
  return?: "representation" | "headers-only" | "minimal";
  params?: "single-object" | "multiple-objects";
  count?: "exact" | "planned" | "estimated";
  tx?: "commit" | "rollback";
  handling?: "strict" | "lenient";
  timezone?: string;
  /** Words that are no preference; an error with handling=strict. */
  invalid: string[];
}

/** The order is that of Preference-Applied. */
const KNOWN = new Map<string, string[] | null>([
  ["resolution", ["merge-duplicates", "ignore-duplicates"]],
  ["missing", ["default", "null"]],
  ["return", ["representation", "headers-only", "minimal"]],
  ["params", ["single-object", "multiple-objects"]],
  ["count", ["exact", "planned", "estimated"]],
  ["tx", ["commit", "rollback"]],
  ["handling", ["strict", "lenient"]],
  ["timezone", null],
]);

/** The first value of a kind counts; `isTimezone` says which time zones exist. */
export function parsePrefer(header: string | null, isTimezone: (name: string) => boolean): Preferences {
  const preferences: Record<string, string> = {};
  const invalid: string[] = [];
  for (const part of header === null ? [] : header.split(",")) {
    const text = part.trim();
    if (text === "") continue;
    const at = text.indexOf("=");
    const [kind, value] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
    const values = KNOWN.get(kind);
    const isKnown = values === null ? isTimezone(value) : values?.includes(value);
    if (isKnown) preferences[kind] ??= value;
    else invalid.push(text);
  }
  return { ...preferences, invalid };
}

/** The value of Preference-Applied for the kinds that mattered to this request; undefined for none. */
export function preferenceApplied(
  preferences: Preferences,
  kinds: (keyof Preferences)[],
): string | undefined {
  const applied: string[] = [];
  for (const kind of KNOWN.keys()) {
    const value = preferences[kind as keyof Preferences];
    if (typeof value === "string" && kinds.includes(kind as keyof Preferences))
      applied.push(`${kind}=${value}`);
  }
  return applied.length > 0 ? applied.join(", ") : undefined;
}

export interface Range {
  offset: number;
  /** Rows at most; null for no limit. */
  limit: number | null;
}

/** The rows of the request: what `limit`, `offset` and the Range header have in common. 416 when that is nothing. */
export function intersectRange(range: Range, header: string | null): Range {
  const offset = Math.max(range.offset, 0);
  if (range.limit !== null && range.limit < 0)
    throw outOfRange("Limit should be greater than or equal to zero.");
  const match = header === null ? null : /^(?:\w+=)?(\d+)-(\d*)$/.exec(header.trim());
  if (!match) return { offset, limit: range.limit };
  const from = Number(match[1]);
  const to = match[2] === "" ? Infinity : Number(match[2]);
  if (to < from) {
    throw outOfRange(
      "The lower boundary must be lower than or equal to the upper boundary in the Range header.",
    );
  }
  if (range.limit === 0) return { offset, limit: 0 };
  const first = Math.max(offset, from);
  const last = Math.min(range.limit === null ? Infinity : offset + range.limit - 1, to);
  if (last < first) throw outOfRange("Limit should be greater than or equal to zero.");
  return { offset: first, limit: last === Infinity ? null : last - first + 1 };
}

export function outOfRange(details: string, headers: Record<string, string> = {}) {
  return refuse(416, "103", "Requested range not satisfiable", { details, headers });
}

export type Format = "json" | "csv" | "object";
export interface Media {
  format: Format;
  isStripped: boolean;
  contentType: string;
}

const JSON_MEDIA: Media = {
  format: "json",
  isStripped: false,
  contentType: "application/json; charset=utf-8",
};
const OBJECT = "application/vnd.pgrst.object+json";
const STRIPPED_ARRAY = "application/vnd.pgrst.array+json;nulls=stripped";
const MEDIA = new Map<string, Media>([
  ["*/*", JSON_MEDIA],
  ["application/json", JSON_MEDIA],
  ["application/vnd.pgrst.array+json", JSON_MEDIA],
  ["application/vnd.pgrst.array", JSON_MEDIA],
  [STRIPPED_ARRAY, { format: "json", isStripped: true, contentType: `${STRIPPED_ARRAY}; charset=utf-8` }],
  ["text/csv", { format: "csv", isStripped: false, contentType: "text/csv; charset=utf-8" }],
  [OBJECT, { format: "object", isStripped: false, contentType: `${OBJECT}; charset=utf-8` }],
  [
    "application/vnd.pgrst.object",
    { format: "object", isStripped: false, contentType: `${OBJECT}; charset=utf-8` },
  ],
  [
    `${OBJECT};nulls=stripped`,
    { format: "object", isStripped: true, contentType: `${OBJECT};nulls=stripped; charset=utf-8` },
  ],
]);

/** The first media type of Accept, by quality and how much it says, that can be answered. */
export function negotiate(accept: string | null): Media {
  if (accept === null || accept === "*/*" || accept === "application/json" || accept === "")
    return JSON_MEDIA;
  const wanted = accept
    .split(",")
    .map((text) => {
      const parts = text.split(";").map((part) => part.trim());
      const quality = parts.find((part) => part.startsWith("q="));
      const name = parts.filter((part) => !part.startsWith("q=")).join(";");
      const said = parts.length - (name.match(/\*/g)?.length ?? 0);
      return { name, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0, said };
    })
    .sort((a, b) => b.quality - a.quality || b.said - a.said);
  for (const { name } of wanted) {
    const [type = "", ...parameters] = name.split(";");
    const isStripped = parameters.includes("nulls=stripped") && type.startsWith("application/vnd.pgrst.");
    const full = type.replace(/^(application\/vnd\.pgrst\.(array|object))$/, "$1+json");
    const media = MEDIA.get(isStripped ? `${full};nulls=stripped` : type);
    if (media) return media;
  }
  const names = wanted.map(({ name }) => name).join(", ");
  throw refuse(415, "107", `None of these media types are available: ${names}`);
}
