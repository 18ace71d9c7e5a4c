import type { ConnectionConfiguration } from "tedious";
import { fill } from "../runner.ts";
import type { SqlTarget } from "./sql.ts";

/**
 * The driver's settings of `sqlserver://user:password@host:1433/instance?database=…` or of `server=host;user id=…` pairs;
 * a sentence when it is neither. Words are read as Go's driver reads them: encrypted unless `encrypt=disable`, and any
 * certificate is taken only with `TrustServerCertificate=true`.
 */
export function mssqlOptions(target: SqlTarget): ConnectionConfiguration | string {
  const { url, username, password } = target;
  const found = /^(sqlserver|mssql):\/\//.test(url) ? fromUrl(url) : fromPairs(url);
  if (!found?.get("server"))
    return "url must be sqlserver://user:password@host:1433?database=… or server=host;…";
  const [, host = "", instance = found.get("instance"), port = found.get("port")] =
    /^(?:tcp:)?([^\\,]*)(?:\\([^,]*))?(?:,\s*(\d+))?$/.exec(found.get("server") ?? "") ?? [];
  const values = { username, password };
  const off = /^(disable|false|no|0)$/i.test(found.get("encrypt") ?? "");
  return {
    server: host,
    authentication: {
      type: "default",
      options: {
        userName: fill(found.get("user id") ?? "", values) || username,
        password: fill(found.get("password") ?? "", values) || password,
      },
    },
    options: {
      // With a name the port is asked from the server's browser; a port says it all.
      ...(instance && !port ? { instanceName: instance } : { port: Number(port || 1433) }),
      ...(found.get("database") ? { database: fill(found.get("database") ?? "", values) } : {}),
      encrypt: !off,
      trustServerCertificate: /^(true|yes|1)$/i.test(found.get("trustservercertificate") ?? ""),
      appName: "pilothouse check",
    },
  };
}

/** Values are filled in after the parts are told apart, so that no password is mistaken for an address. */
function fromUrl(text: string): Map<string, string> | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return new Map([
    ["server", decodeURIComponent(url.hostname.replace(/^\[|\]$/g, ""))],
    ["port", url.port],
    ["instance", decodeURIComponent(url.pathname.slice(1))],
    ["user id", decodeURIComponent(url.username)],
    ["password", decodeURIComponent(url.password)],
    ...[...url.searchParams].map(([name, value]): [string, string] => [wordOf(name), value]),
  ]);
}

function fromPairs(text: string): Map<string, string> | null {
  const pairs = text.split(";").flatMap((pair): [string, string][] => {
    const at = pair.indexOf("=");
    return at === -1 ? [] : [[wordOf(pair.slice(0, at)), pair.slice(at + 1).trim()]];
  });
  return pairs.length > 0 ? new Map(pairs) : null;
}

/** The many names of one thing. */
const SAME: Record<string, string> = {
  "data source": "server",
  address: "server",
  addr: "server",
  uid: "user id",
  user: "user id",
  pwd: "password",
  "initial catalog": "database",
};
function wordOf(name: string): string {
  const word = name.trim().toLowerCase();
  return SAME[word] ?? word;
}
