/** What each type of monitor of Uptime Kuma is here. Pure. */
import type { Part, Path } from "./documents.ts";
import { isFields, Refusal, textOf, type Fields } from "./entry.ts";
import { jsonTest } from "./kuma-json.ts";

type Warn = (path: Path, message: string) => void;
/** `schedule: false`: somebody else drives it. */
export type KumaCheck = Fields & { type: string; schedule?: boolean };
type Reader = (part: Part, monitor: Fields, warn: Warn) => KumaCheck;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["http", (part, monitor, warn) => ({ type: "http", ...httpOf(part, monitor, warn) })],
  ["keyword", keywordOf],
  [
    "json-query",
    (part, monitor, warn) => ({
      ...{ type: "http" },
      ...httpOf(part, monitor, warn),
      test: { expr: jsonTest(part, monitor) },
    }),
  ],
  [
    "port",
    (part, monitor) => ({
      type: "tcp",
      endpoint: `${need(part, monitor, "hostname")}:${need(part, monitor, "port")}`,
      ...limitOf(monitor),
    }),
  ],
  ["ping", (part, monitor) => ({ type: "icmp", endpoint: need(part, monitor, "hostname") })],
  ["dns", dnsOf],
  ["push", pushOf],
  ["mysql", (part, monitor) => ({ type: "mysql", ...sqlOf(part, monitor) })],
  ["postgres", (part, monitor) => ({ type: "postgres", ...sqlOf(part, monitor) })],
  [
    "sqlserver",
    (part, monitor) => ({ type: "mssql", ...sqlOf(part, monitor), url: sqlServerUrl(part, monitor) }),
  ],
  ["redis", (part, monitor) => ({ type: "redis", url: need(part, monitor, "databaseConnectionString") })],
  ["mongodb", (part, monitor) => ({ type: "mongodb", url: need(part, monitor, "databaseConnectionString") })],
]);

/** The check of a monitor with its type. Refuses those that no check can stand in for. */
export function checkOf(part: Part, monitor: Fields, warn: Warn): KumaCheck {
  const type = textOf(monitor["type"]) ?? "";
  const reader = READERS.get(type);
  if (!reader)
    throw new Refusal(part.remark(["type"], `there is no check like a monitor of type ${type || "?"}`));
  if (isOn(monitor["upsideDown"]))
    throw new Refusal(
      part.remark(["upsideDown"], "there is no check that is healthy while something is down"),
    );
  return reader(part, monitor, warn);
}

const isOn = (value: unknown) => value === true || value === 1;

function need(part: Part, monitor: Fields, key: string): string {
  const value = textOf(monitor[key]);
  if (value) return value;
  throw new Refusal(part.remark([key], `${key} is required`));
}

/** Their time limit, in seconds, is our limit for being slow: past it the check fails there and here. */
function limitOf(monitor: Fields): { thresholdMillis?: number } {
  const seconds = Number(monitor["timeout"]);
  return seconds > 0 ? { thresholdMillis: Math.round(seconds * 1000) } : {};
}

function httpOf(part: Part, monitor: Fields, warn: Warn): Fields {
  const url = need(part, monitor, "url");
  if (isOn(monitor["expiryNotification"]))
    warn(
      ["expiryNotification"],
      "a certificate that runs out soon is no failure there and not looked at here: set maxSSLExpiry",
    );
  if (textOf(monitor["httpBodyEncoding"]) === "xml")
    warn(["httpBodyEncoding"], "the body is sent as it is: name its type in the header Content-Type");
  return {
    url,
    method: textOf(monitor["method"])?.toUpperCase(),
    headers: headersOf(part, monitor),
    body: textOf(monitor["body"]) ?? undefined,
    responseCodes: codesOf(part, monitor),
    tlsConfig: tlsOf(monitor),
    ...limitOf(monitor),
    ...credentialsOf(monitor, warn),
  };
}

function tlsOf(monitor: Fields): Fields | undefined {
  const isMutual = textOf(monitor["authMethod"]) === "mtls";
  const tls = {
    ...(isOn(monitor["ignoreTls"]) ? { insecureSkipVerify: true } : {}),
    ...(isMutual && textOf(monitor["tlsCert"]) ? { cert: monitor["tlsCert"] } : {}),
    ...(isMutual && textOf(monitor["tlsKey"]) ? { key: monitor["tlsKey"] } : {}),
    ...(isMutual && textOf(monitor["tlsCa"]) ? { ca: monitor["tlsCa"] } : {}),
  };
  return Object.keys(tls).length > 0 ? tls : undefined;
}

function credentialsOf(monitor: Fields, warn: Warn): Fields {
  const username = textOf(monitor["basic_auth_user"]) ?? undefined;
  const password = textOf(monitor["basic_auth_pass"]) ?? undefined;
  switch (textOf(monitor["authMethod"])) {
    case "ntlm":
      if (textOf(monitor["authDomain"]))
        warn(["authDomain"], "the domain is part of the username here: DOMAIN\\name");
      return { username: withDomain(monitor, username), password, ntlmv2: true };
    case "oauth2-cc":
      return {
        username: textOf(monitor["oauth_client_id"]) ?? undefined,
        password: textOf(monitor["oauth_client_secret"]) ?? undefined,
        oauth2: {
          tokenURL: textOf(monitor["oauth_token_url"]) ?? "",
          scope: (textOf(monitor["oauth_scopes"]) ?? "").split(/\s+/).filter(Boolean),
        },
      };
    case "basic":
    case null:
      return username ? { username, password } : {};
    default:
      return {};
  }
}

function withDomain(monitor: Fields, username: string | undefined): string | undefined {
  const domain = textOf(monitor["authDomain"]);
  return domain && username ? `${domain}\\${username}` : username;
}

/** They are a JSON text inside the JSON. */
function headersOf(part: Part, monitor: Fields): Fields[] | undefined {
  const text = textOf(monitor["headers"]);
  if (text === null) return undefined;
  try {
    const given: unknown = JSON.parse(text);
    if (isFields(given)) {
      const headers = Object.entries(given).map(([name, value]) => ({ name, value: String(value) }));
      return headers.length > 0 ? headers : undefined;
    }
  } catch {
    // said below
  }
  throw new Refusal(part.remark(["headers"], "headers must be a JSON object"));
}

/** `["200-299", "301"]`; what is expected anyway is left out. */
function codesOf(part: Part, monitor: Fields): number[] | undefined {
  const given = monitor["accepted_statuscodes"];
  const ranges = Array.isArray(given) ? given.map(String) : [];
  if (ranges.length === 0 || (ranges.length === 1 && ranges[0] === "200-299")) return undefined;
  const codes = ranges.flatMap((range) => {
    const [, first, last = first] = /^(\d{3})(?:-(\d{3}))?$/.exec(range.trim()) ?? [];
    if (!first) throw new Refusal(part.remark(["accepted_statuscodes"], `${range} is no status code`));
    const from = Number(first);
    return Array.from({ length: Math.max(0, Number(last) - from + 1) }, (_, index) => from + index);
  });
  return [...new Set(codes)].sort((a, b) => a - b);
}

function keywordOf(part: Part, monitor: Fields, warn: Warn): KumaCheck {
  const keyword = need(part, monitor, "keyword");
  const http = { type: "http", ...httpOf(part, monitor, warn) };
  return isOn(monitor["invertKeyword"])
    ? { ...http, test: { expr: `!content.contains(${JSON.stringify(keyword)})` } }
    : { ...http, responseContent: keyword };
}

const DNS_TYPES = ["A", "CNAME", "SRV", "MX", "PTR", "TXT", "NS"];

function dnsOf(part: Part, monitor: Fields): KumaCheck {
  const querytype = textOf(monitor["dns_resolve_type"])?.toUpperCase() ?? "A";
  if (!DNS_TYPES.includes(querytype))
    throw new Refusal(
      part.remark(
        ["dns_resolve_type"],
        `records of type ${querytype} are not looked up: one of ${DNS_TYPES.join(", ")}`,
      ),
    );
  const [server = ""] = (textOf(monitor["dns_resolve_server"]) ?? "1.1.1.1").split(",");
  return {
    type: "dns",
    server: server.trim(),
    port: Number(monitor["port"]) || 53,
    query: need(part, monitor, "hostname"),
    querytype,
    minrecords: 1,
  };
}

/** Their token is not taken over: ours are made here, and stored hashed. */
function pushOf(_: Part, monitor: Fields, warn: Warn): KumaCheck {
  const seconds = Number(monitor["interval"]) || 60;
  warn(["pushToken"], "pings go to a new address: make its token where the check is shown");
  return {
    type: "heartbeat",
    schedule: false,
    period: `${seconds}s`,
    grace: `${Math.max(10, Math.round(seconds / 10))}s`,
  };
}

function sqlOf(part: Part, monitor: Fields): Fields {
  return {
    url: need(part, monitor, "databaseConnectionString"),
    query: textOf(monitor["databaseQuery"]) ?? "SELECT 1",
  };
}

/** `Server=host,1433;Database=shop;User Id=sa;Password=…;Encrypt=true` as an address. */
function sqlServerUrl(part: Part, monitor: Fields): string {
  const given = need(part, monitor, "databaseConnectionString");
  if (/^(sqlserver|mssql):\/\//.test(given)) return given;
  const pairs = new Map(
    given.split(";").flatMap((pair) => {
      const at = pair.indexOf("=");
      return at > 0
        ? [[pair.slice(0, at).trim().toLowerCase().replace(/\s+/g, ""), pair.slice(at + 1).trim()] as const]
        : [];
    }),
  );
  const first = (...names: string[]) =>
    names.map((name) => pairs.get(name)).find((value) => value !== undefined);
  const server = first("server", "datasource", "address");
  if (!server)
    throw new Refusal(
      part.remark(["databaseConnectionString"], "the connection string needs Server=host,port"),
    );
  const [host = "", port = "1433"] = server.replace(/^tcp:/i, "").split(",");
  const query = new URLSearchParams({
    ...(first("database", "initialcatalog") ? { database: first("database", "initialcatalog")! } : {}),
    ...(/^(true|yes)$/i.test(first("trustservercertificate") ?? "")
      ? { TrustServerCertificate: "true" }
      : {}),
    ...(/^(false|no)$/i.test(first("encrypt") ?? "") ? { encrypt: "disable" } : {}),
  });
  const [user, password] = [first("userid", "uid", "user", "username"), first("password", "pwd")];
  const login = user ? `${encodeURIComponent(user)}:${encodeURIComponent(password ?? "")}@` : "";
  return `sqlserver://${login}${host.trim()}:${port.trim()}${query.size > 0 ? `?${query.toString()}` : ""}`;
}
