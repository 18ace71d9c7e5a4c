import type { ConnectionOptions } from "mysql2";
import { fill } from "../runner.ts";
import type { SqlTarget } from "./sql.ts";

/**
 * The driver's settings of a URL, or of an address as Go's driver writes it: `user:password@tcp(host:port)/database?tls=true`.
 * Other parameters of that driver are its own business and left out. A sentence when it is neither.
 */
export function mysqlOptions({ url, username, password }: SqlTarget): ConnectionOptions | string {
  const parts = /^(mysql|mariadb):\/\//.test(url) ? fromUrl(url) : fromGo(url);
  if (!parts)
    return "url must be mysql://user:password@host:3306/database or user:password@tcp(host:3306)/database";
  const values = { username, password };
  const ssl = tlsOf(parts.tls);
  if (ssl === null) return `url: tls=${parts.tls} must be one of true, skip-verify, preferred, false`;
  return {
    ...(parts.socketPath
      ? { socketPath: parts.socketPath }
      : { host: parts.host || "localhost", port: Number(parts.port || 3306) }),
    user: parts.user === "" ? username : fill(parts.user, values),
    password: parts.password === "" ? password : fill(parts.password, values),
    database: fill(parts.database, values) || undefined,
    ...(ssl ? { ssl } : {}),
  };
}

interface Parts {
  user: string;
  password: string;
  host: string;
  port: string;
  socketPath?: string;
  database: string;
  tls: string;
}

/** Values are filled in after the parts are told apart, so that no password is mistaken for an address. */
function fromUrl(text: string): Parts | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return {
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port,
    database: decodeURIComponent(url.pathname.slice(1)),
    tls: tlsWord(url.searchParams),
  };
}

function fromGo(text: string): Parts | null {
  const found = /^(?:(.*)@)?(?:(tcp|unix)\(([^)]*)\))?\/([^/?]*)(?:\?(.*))?$/s.exec(text.trim());
  if (!found) return null;
  const [, login = "", net = "tcp", address = "", database = "", query = ""] = found;
  const colon = login.indexOf(":");
  const [user, password] = colon === -1 ? [login, ""] : [login.slice(0, colon), login.slice(colon + 1)];
  const [, bracketed, plain, port = ""] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(address) ?? [];
  if (net === "tcp" && bracketed === undefined && plain === undefined) return null;
  return {
    user,
    password,
    host: bracketed ?? plain ?? "",
    port,
    ...(net === "unix" ? { socketPath: address } : {}),
    database,
    tls: tlsWord(new URLSearchParams(query)),
  };
}

const tlsWord = (query: URLSearchParams) =>
  query.get("tls") ?? query.get("ssl") ?? query.get("ssl-mode") ?? "";

/** undefined: without TLS; null: nobody knows the word. */
function tlsOf(word: string): ConnectionOptions["ssl"] | undefined | null {
  switch (word.toLowerCase()) {
    case "":
    case "false":
    case "disabled":
    case "preferred": // a try that anybody in between can make fail proves nothing
      return undefined;
    case "skip-verify":
    case "required":
      return { rejectUnauthorized: false };
    case "true":
    case "verify_ca":
    case "verify_identity":
      return { rejectUnauthorized: true };
    default:
      return null;
  }
}
