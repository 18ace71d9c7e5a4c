/** Splitting and writing query strings byte for byte as PostgREST does; a WHATWG URL would change them. */

import { isUtf8 } from "node:buffer";

/** Value null: the key came without `=`. */
export type Pair = [key: string, value: string | null];

/** `;` separates as `&` does; nothing comes after a last one. */
export function splitQuery(text: string): Pair[] {
  const parts = text.split(/[&;]/);
  if (parts.at(-1) === "") parts.pop();
  return parts.map((part) => {
    const at = part.indexOf("=");
    return at < 0 ? [decode(part), null] : [decode(part.slice(0, at)), decode(part.slice(at + 1))];
  });
}

/** Percent-decoded UTF-8, `+` as a blank; a stray `%` stands for itself. */
export function decode(text: string): string {
  if (!/[%+\u0080-\uffff]/.test(text)) return text;
  const spaced = text.replaceAll("+", " ");
  if (!/[\u0080-\uffff]/.test(spaced)) {
    try {
      return decodeURIComponent(spaced);
    } catch {
      // Not UTF-8, or a stray %: byte by byte below.
    }
  }
  const bytes: number[] = [];
  const latin = Buffer.from(spaced, "latin1");
  const isBytes = /^[\u0000-\u00ff]*$/.test(spaced) && isUtf8(latin);
  const source = isBytes ? latin : Buffer.from(spaced, "utf8");
  for (let at = 0; at < source.length; at++) {
    const hex = source.toString("latin1", at + 1, at + 3);
    if (source[at] === 0x25 && /^[0-9a-fA-F]{2}$/.test(hex)) {
      bytes.push(Number.parseInt(hex, 16));
      at += 2;
    } else bytes.push(source[at] ?? 0);
  }
  return Buffer.from(bytes).toString("utf8");
}

const PLAIN = /^[A-Za-z0-9\-_.~]*$/;

/** The query as Content-Location says it: sorted by key, repeated keys joined, everything but unreserved escaped. */
export function canonicalQuery(pairs: Pair[]): string {
  if (pairs.length === 0) return "";
  const grouped = new Map<string, string[]>();
  for (const [key, value] of pairs) {
    const values = grouped.get(key);
    if (values) values.push(value ?? "");
    else grouped.set(key, [value ?? ""]);
  }
  const keys = [...grouped.keys()].sort((a, b) => (a < b ? -1 : 1));
  return keys.map((key) => `${escape(key)}=${(grouped.get(key) ?? []).map(escape).join(",")}`).join("&");
}

/** PostgREST escapes the UTF-8 bytes as if each were a character of its own; a canonical form only has to be stable. */
function escape(text: string): string {
  if (PLAIN.test(text)) return text;
  return Buffer.from(text, "utf8")
    .toString("latin1")
    .replaceAll(/[^A-Za-z0-9\-_.~]/g, percentBytes);
}

function percentBytes(text: string): string {
  return [...Buffer.from(text, "utf8")]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");
}

/** A name as the path of a header's address; a header holds printable ASCII only. */
export function headerPath(name: string): string {
  return `/${name.replaceAll(/[^\x20-\x7e]+/g, percentBytes)}`;
}

/** One part of a Location header's query: everything but unreserved characters escaped, as UTF-8. */
export function escapeComponent(text: string): string {
  if (PLAIN.test(text)) return text;
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
