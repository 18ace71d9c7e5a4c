import type pg from "pg";
import { inTransaction } from "#server/db/pool.ts";
import type { ResolveConnection } from "./attempt.ts";
import { fill, type Connection } from "./runner.ts";

/** The product's own database, for the canary that watches it. Reserved: no stored connection can be named so. */
export const SELF_CONNECTION = "connection://pilothouse/self";

interface Options {
  pool: pg.Pool;
  /** PILOTHOUSE_KEY, which stored secrets are encrypted with. */
  key: string;
  /** The address of the product's own database, with its password. Known to this process, stored nowhere. */
  selfUrl: string;
}

/**
 * Looks connections up: `connection://<namespace>/<name>`, `connection://<name>` (in the canary's namespace) or an id.
 * Secrets are decrypted for the run and kept nowhere.
 */
export function createResolveConnection({ pool, key, selfUrl }: Options): ResolveConnection {
  return async (reference, { type, namespace }) => {
    if (reference === SELF_CONNECTION) {
      if (type !== "postgres") throw new Error(`${reference} is for postgres checks only`);
      return { url: selfUrl, pingOnly: true };
    }
    const row = await inTransaction(pool, async (client) => {
      await client.query("select set_config('app.settings.pilothouse_key', $1, true)", [key]);
      return find(client, reference, namespace);
    });
    if (!row) throw new Error(`connection ${reference} was not found`);
    return hydrate(row);
  };
}

interface Row {
  url: string | null;
  username: string | null;
  password: string | null;
  url_password: string | null;
  properties: Record<string, unknown> | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function find(client: pg.PoolClient, reference: string, namespace: string): Promise<Row | undefined> {
  const [, first, second] = /^connection:\/\/([^/]+)(?:\/([^/]+))?$/.exec(reference) ?? [];
  const id = UUID.test(reference) ? reference : null;
  if (!id && !first) throw new Error(`connection "${reference}" must be connection://<namespace>/<name>`);
  const { rows } = await client.query<Row>(
    `select url, username, properties,
       case when password = '***' then internal.secret_of('connections', id, 'password') else password end as password,
       internal.secret_of('connections', id, 'url') as url_password
     from public.connections
     where deleted_at is null and (id = $1 or ($1 is null and name = $2 and namespace = $3))`,
    [id, second ?? first ?? null, second ? first : namespace],
  );
  return rows[0];
}

/** Fills `$(username)`, `$(password)` and `$(properties.x)` into the URL, escaped as a URL needs it. */
function hydrate({ url, username, password, url_password, properties }: Row): Connection {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries({ username, password }))
    if (value) values.set(name, encodeURIComponent(value));
  for (const [name, value] of Object.entries(properties ?? {}))
    values.set(`properties.${name}`, String(value));
  // The password of a URL was stored as it stood there, escaped already.
  const whole = url_password ? (url ?? "").replace(":***@", () => `:${url_password}@`) : (url ?? "");
  return {
    url: fill(whole, Object.fromEntries(values)),
    username: username || undefined,
    password: password || undefined,
  };
}
