/** Both servers on one database: starting them, sending the same bytes to each, and reading the answers alike. */
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import http from "node:http";
import pg from "pg";
import { startPostgrest, type PostgrestOptions } from "#tests/support/postgrest.ts";
import type { Case, Variant } from "./case.ts";

export const SECRET = "the secret of this comparison, long enough";

export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Parsed when the answer says JSON, else the text. */
  body: unknown;
}

export interface Server {
  port: number;
  stop(): Promise<void>;
}

/** The headers whose values both must agree on. */
const COMPARED = [
  "content-type",
  "content-range",
  "content-location",
  "content-profile",
  "location",
  "preference-applied",
  "www-authenticate",
  "allow",
  "retry-after",
  "x-own",
];
const COMPARED_WITH_ORIGIN = [
  "access-control-allow-origin",
  "access-control-allow-methods",
  "access-control-allow-headers",
  "access-control-allow-credentials",
  "access-control-expose-headers",
  "access-control-max-age",
];

/** The configuration of each variant, for both sides. `prefix` is the database's name, which the roles begin with. */
export function configurations(url: string, prefix: string): Record<Variant, PostgrestOptions> {
  const login = new URL(url);
  login.username = `${prefix}_login`;
  login.password = "login";
  const base = {
    uri: login.toString(),
    schemas: ["api"],
    extraSearchPath: ["public"],
    jwtSecret: SECRET,
    poolSize: 2,
  };
  const anonymousRole = `${prefix}_anon`;
  return {
    main: {
      ...base,
      schemas: ["api", "second"],
      anonymousRole,
      txEnd: "commit-allow-override",
      preRequest: "ops.before",
      settings: { shop: "corner" },
    },
    small: { ...base, anonymousRole, txEnd: "rollback-allow-override", maxRows: 3, aggregates: true },
    closed: { ...base, txEnd: "commit" },
    unsigned: { ...base, jwtSecret: undefined, anonymousRole, txEnd: "commit" },
  };
}

/** Creates the fixture's objects, roles and rows in an empty database. */
export async function loadFixture(superuserUrl: string, name: string): Promise<void> {
  const sql = readFileSync(new URL("fixture.sql", import.meta.url), "utf8").replaceAll("__db__", name);
  await withClient(superuserUrl, (client) => client.query(sql));
  await resetRows(superuserUrl);
}

const DATA = readFileSync(new URL("data.sql", import.meta.url), "utf8");

/** Puts every row and sequence back; for the cases that commit. */
export async function resetRows(superuserUrl: string): Promise<void> {
  await withClient(superuserUrl, (client) => client.query(DATA));
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function dropRoles(superuserUrl: string, name: string): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    for (const role of ["login", "anon", "reader", "writer", "slow"])
      await client.query(`drop role if exists "${name}_${role}"`);
  });
}

/** Starts the yardstick in every variant that is asked for. */
export async function startAll(
  variants: Record<Variant, PostgrestOptions>,
  start: (options: PostgrestOptions) => Promise<Server> = startPostgrest,
): Promise<Record<Variant, Server>> {
  const [main, small, closed, unsigned] = await Promise.all([
    start(variants.main),
    start(variants.small),
    start(variants.closed),
    start(variants.unsigned),
  ]);
  return { main, small, closed, unsigned };
}

export function sign(claims: Record<string, unknown>, secret = SECRET, algorithm = "HS256"): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${encode({ alg: algorithm, typ: "JWT" })}.${encode(claims)}`;
  const signature = algorithm === "none" ? "" : createHmac("sha256", secret).update(text).digest("base64url");
  return `${text}.${signature}`;
}

/** The headers of a case, its token included; `prefix` turns "reader" into the role's name. */
export function headersOf(item: Case, prefix: string): Record<string, string> {
  const headers = { ...item.headers };
  if (item.token && "raw" in item.token) headers["Authorization"] = item.token.raw;
  else if (item.token) {
    const { role } = item.token.claims;
    const known = role === "reader" || role === "writer" ? { role: `${prefix}_${role}` } : {};
    const { secret, algorithm } = item.token;
    headers["Authorization"] = `Bearer ${sign({ ...item.token.claims, ...known }, secret, algorithm)}`;
  } else if (item.as !== "anon")
    headers["Authorization"] = `Bearer ${sign({ role: `${prefix}_${item.as}`, id: "p1" })}`;
  return headers;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });

/** Sends exactly these bytes as the request target. */
export function send(
  port: number,
  request: { method: string; target: string; headers: Record<string, string>; body: string | undefined },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers: Record<string, string | number> = { ...request.headers };
    if (request.body !== undefined) headers["Content-Length"] = Buffer.byteLength(request.body);
    const outgoing = http.request(
      { host: "127.0.0.1", port, agent, method: request.method, path: request.target, headers },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          resolve(read(incoming, Buffer.concat(chunks).toString("utf8"), "Origin" in request.headers));
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.setTimeout(10_000, () =>
      outgoing.destroy(new Error(`no answer to ${request.method} ${request.target}`)),
    );
    outgoing.end(request.body);
  });
}

function read(incoming: http.IncomingMessage, text: string, crossOrigin: boolean): Answer {
  const headers: Record<string, string> = {};
  for (const name of [...COMPARED, ...(crossOrigin ? COMPARED_WITH_ORIGIN : [])]) {
    const value = incoming.headers[name];
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  const isJson = /json|pgrst/.test(headers["content-type"] ?? "") && text !== "";
  return { status: incoming.statusCode ?? 0, headers, body: isJson ? (JSON.parse(text) as unknown) : text };
}
