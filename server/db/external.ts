/** A PostgreSQL that is not ours: can it be reached, is it new enough, may its user do what we need? */
import pg from "pg";
import { StartError } from "./start-error.ts";

const OLDEST = 15;

/** Throws StartError with one sentence that names DATABASE_URL and what would be right. */
export async function checkExternal(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new StartError(unreachable(url, error));
  }
  try {
    const { rows } = await client.query<{ version: number; owns: boolean; makes: boolean; name: string }>(
      `select current_setting('server_version_num')::int / 10000 as version,
              pg_has_role(current_user, d.datdba, 'USAGE') as owns,
              (r.rolcreaterole or r.rolsuper) as makes,
              current_user::text as name
         from pg_database d, pg_roles r
        where d.datname = current_database() and r.rolname = current_user`,
    );
    const found = rows[0]!;
    if (found.version < OLDEST)
      throw new StartError(
        `DATABASE_URL leads to PostgreSQL ${found.version}: it must be ${OLDEST} or newer.`,
      );
    if (!found.owns)
      throw new StartError(`DATABASE_URL: the user ${found.name} must own the database it connects to.`);
    if (!found.makes)
      throw new StartError(
        `DATABASE_URL: the user ${found.name} needs CREATEROLE, since each role of the product is one of the database.`,
      );
  } finally {
    await client.end().catch(() => undefined);
  }
}

function unreachable(url: string, error: unknown): string {
  const { host } = new URL(url);
  const code = (error as { code?: string }).code ?? "";
  if (/^28/.test(code)) return `DATABASE_URL: the database at ${host} refused the user or the password.`;
  if (code === "3D000")
    return `DATABASE_URL: the database at ${host} has no database of that name: create it first.`;
  const reason = code || (error instanceof Error ? error.message : String(error));
  return `DATABASE_URL: the database at ${host} cannot be reached (${reason}): start it, or correct the address.`;
}
