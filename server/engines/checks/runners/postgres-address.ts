import type { ClientConfig } from "pg";
import { fill } from "../runner.ts";

/** The driver's settings of a URL or of libpq's `key=value` pairs; a sentence when it is neither. */
export function connectionConfig(
  address: string,
  username?: string,
  password?: string,
): ClientConfig | string {
  const given = /^postgres(ql)?:\/\//.test(address)
    ? fromUrl(address, username, password)
    : fromPairs(fill(address, { username, password }));
  if (given === null) return "url must be postgres://… or key=value pairs";
  return {
    host: given.get("host") || "localhost",
    port: Number(given.get("port") || 5432),
    database: given.get("dbname") || undefined,
    user: given.get("user") || username,
    password: given.get("password") || password,
    ssl: sslOf(given.get("sslmode")),
  };
}

function fromUrl(address: string, username?: string, password?: string): Map<string, string> | null {
  const text = fill(address, {
    username: username && encodeURIComponent(username),
    password: password && encodeURIComponent(password),
  });
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return new Map([
    ["host", url.hostname.replace(/^\[|\]$/g, "")],
    ["port", url.port],
    ["dbname", decodeURIComponent(url.pathname.slice(1))],
    ["user", decodeURIComponent(url.username)],
    ["password", decodeURIComponent(url.password)],
    ...url.searchParams,
  ]);
}

/** `user=me password='with space'`, as libpq reads them. */
function fromPairs(text: string): Map<string, string> | null {
  const pairs = new Map<string, string>();
  const rest = text.replace(/(\w+)\s*=\s*('(?:[^'\\]|\\.)*'|[^\s']*)/g, (_, key: string, value: string) => {
    pairs.set(key, value.startsWith("'") ? value.slice(1, -1).replace(/\\(.)/g, "$1") : value);
    return "";
  });
  return pairs.size > 0 && rest.trim() === "" ? pairs : null;
}

/** libpq's words: `require` encrypts without asking who answers, `verify-*` asks; without one, no TLS. */
function sslOf(mode: string | undefined): ClientConfig["ssl"] {
  if (mode === "require") return { rejectUnauthorized: false };
  return mode === "verify-ca" || mode === "verify-full" ? { rejectUnauthorized: true } : false;
}
