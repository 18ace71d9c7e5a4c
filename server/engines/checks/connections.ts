import type pg from "pg";
import { readText, Reference } from "#app/contract/env-var.ts";
import { inTransaction } from "#server/db/pool.ts";
import type { LookUp } from "../references.ts";
import type { ResolveConnection } from "./attempt.ts";
import type { Connection } from "./runner.ts";

/** The product's own database, for the canary that watches it. Reserved: no stored connection can be named so. */
export const SELF_CONNECTION = "connection://pilothouse/self";

interface Options {
  pool: pg.Pool;
  /** PILOTHOUSE_KEY, which stored secrets are encrypted with. */
  key: string;
  /** The address of the product's own database, with its password. Known to this process, stored nowhere. */
  selfUrl: string;
  /** Finds what a connection only refers to. */
  lookUp: LookUp;
}

/**
 * Looks connections up (facts: engines §13.1): `connection://<namespace>/<name>`, `connection://<name>` (in the canary's
 * namespace), the old `connection://<type>/<name>` and `connection://<type>/<namespace>/<name>`, an id, or an address
 * itself. Secrets are decrypted or looked up for the run and kept nowhere.
 */
export function createResolveConnection({ pool, key, selfUrl, lookUp }: Options): ResolveConnection {
  return async (reference, { type, namespace }) => {
    if (reference === SELF_CONNECTION) {
      if (type !== "postgres") throw new Error(`${reference} is for postgres checks only`);
      return { url: selfUrl, pingOnly: true };
    }
    const secrets: string[] = [];
    const look = looking(lookUp, secrets);
    if (isAddress(reference)) return { url: await look("connection", reference), secrets };
    const row = await inTransaction(pool, async (client) => {
      await client.query("select set_config('app.settings.pilothouse_key', $1, true)", [key]);
      return find(client, reference, namespace);
    });
    if (!row) throw new Error(`connection ${reference} was not found`);
    const found = await hydrate(row, (field, text) => look(`connection ${reference}: ${field}`, text));
    return { ...found, secrets: [...secrets, ...Object.values(row.secrets ?? {})] };
  };
}

interface Row {
  name: string;
  namespace: string;
  type: string;
  url: string | null;
  username: string | null;
  password: string | null;
  certificate: string | null;
  url_password: string | null;
  properties: Record<string, unknown> | null;
  /** Those of the properties that are kept as secrets. */
  secrets: Record<string, string> | null;
  insecure_tls: boolean | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Not the name of a connection but where to connect: a URL, `key=value` pairs or `user@host`. */
const isAddress = (reference: string) => !/^connection:\/\//.test(reference) && /:\/\/|[=@]/.test(reference);

async function find(client: pg.PoolClient, reference: string, namespace: string): Promise<Row | undefined> {
  const id = UUID.test(reference) ? reference : null;
  const parts = /^connection:\/\/([^/]+(?:\/[^/]+){0,2})\/?$/.exec(reference)?.[1]?.split("/") ?? [];
  if (!id && parts.length === 0)
    throw new Error(`connection "${reference}" must be connection://<namespace>/<name>`);
  const name = parts.at(-1) ?? null;
  const [first, second] = parts.slice(0, -1);
  const { rows } = await client.query<Row>(
    `select name, namespace, type, url, username, properties, insecure_tls,
       case when password = '***' then internal.secret_of('connections', id, 'password') else password end as password,
       case when certificate = '***' then internal.secret_of('connections', id, 'certificate') else certificate
         end as certificate,
       internal.secret_of('connections', id, 'url') as url_password,
       (select jsonb_object_agg(key, internal.secret_of('connections', id, 'properties', key))
        from internal.secrets where relation = 'connections' and row_id = id and column_name = 'properties') as secrets
     from public.connections
     where deleted_at is null and case
       when $1::uuid is not null then id = $1
       when $5::text is not null then name = $2 and type = $4 and namespace = $5
       when $4::text is not null then name = $2 and (namespace = $4 or (type = $4 and namespace in ($3, 'default')))
       else name = $2 and namespace = $3 end
     order by namespace = $4 desc, namespace = $3 desc limit 1`,
    [id, name, namespace, first ?? null, second ?? null],
  );
  return rows[0];
}

/** References are looked up first; then values are filled into the address and the properties. */
async function hydrate(row: Row, look: Look): Promise<Connection> {
  const given = async (field: string, text: string | null) => (text ? look(field, text) : undefined);
  const username = await given("username", row.username);
  const password = await given("password", row.password);
  const properties: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...row.properties, ...row.secrets })) {
    const text = typeof value === "object" ? JSON.stringify(value ?? "") : String(value);
    properties[name] = await look(`properties.${name}`, text);
  }
  // The password of a URL was stored as it stood there, escaped already.
  const stored = row.url ?? "";
  const whole = row.url_password ? stored.replace(":***@", () => `:${row.url_password}@`) : stored;
  const values = new Map(
    Object.entries({
      ...Object.fromEntries(Object.entries(properties).map(([name, value]) => [`properties.${name}`, value])),
      name: row.name,
      namespace: row.namespace,
      type: row.type,
      ...(username ? { username: encodeURIComponent(username) } : {}),
      ...(password ? { password: encodeURIComponent(password) } : {}),
      ...(username?.includes("@") ? { domain: encodeURIComponent(username.split("@")[1]!) } : {}),
    }),
  );
  const certificate = await given("certificate", row.certificate);
  return {
    url: fillIn(await look("url", whole), values),
    type: row.type,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [name, fillIn(value, values)]),
    ),
    insecureTls: row.insecure_tls ?? false,
    ...(username ? { username } : {}),
    ...(password ? { password } : {}),
    ...(certificate ? { certificate } : {}),
  };
}

type Look = (field: string, text: string) => Promise<string>;

/** The text, or what it refers to; what is secret of that is noted. */
const looking =
  (lookUp: LookUp, secrets: string[]): Look =>
  async (field, text) => {
    const read: unknown = readText(text);
    if (!(read instanceof Reference)) return text;
    const value = await lookUp(read).catch((error: unknown) => {
      throw new Error(`${field}: ${error instanceof Error ? error.message : String(error)}`);
    });
    if (read.kind === "secret") secrets.push(value);
    return value;
  };

/** The text with `$(name)` and `{{.name}}` replaced; a name that has no value stays, so that it shows in the error. */
const fillIn = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replace(
    /\$\(\.?([\w.-]+)\)|\{\{-?\s*\.([\w.-]+?)\s*-?\}\}/g,
    (whole, one?: string, other?: string) => values.get(one ?? other ?? "") ?? whole,
  );
