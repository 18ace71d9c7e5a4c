/**
 * PostgreSQL roles and grants, generated from `app/contract/access.ts` and `relations.ts` (DESIGN decision 6 and C9).
 * Not a migration: they are compared at every start and applied again when the tables, the catalogue or what was
 * granted changed. Roles belong to the whole server, so their names begin with the database's.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import pg from "pg";
import { may, ROLES, type Permission, type Role } from "#app/contract/access.ts";
import { AGENTS, LENDABLE, readPermission, RELATIONS, RPCS } from "#app/contract/relations.ts";
import { agentGrants, selectOf } from "./agent-grants.ts";
import { elsewhereGrants } from "./elsewhere-grants.ts";
import { readCatalogue, type Catalogue } from "./grants-catalogue.ts";
import { StartError } from "./start-error.ts";

interface GrantNeeds {
  /** The database's name: the prefix of its roles. */
  database: string;
  /** Password of the login `<database>_api`. */
  apiPassword: string;
  /** The exposed schema. */
  schema?: string;
}

/** Held while roles and grants are compared and applied; the number after those of the migrations. */
const LOCK = 7_072_454_003;
/** Longest name of a database whose roles still fit PostgreSQL's 63 bytes: `_commander` takes ten. */
const MAX_DATABASE_BYTES = 53;
/** Of a request through the API. */
const STATEMENT_TIMEOUT = "60s";

const quote = (name: string) => pg.escapeIdentifier(name);

/** The PostgreSQL role of a role of the product. */
export function dbRole(database: string, role: Role): string {
  return `${database}_${role}`;
}

/** The PostgreSQL role of strangers, whom standalone mode shows its page. */
export const anonymousRole = (database: string): string => `${database}_anon`;

/** The PostgreSQL role of a request that only a permission record allows (decision 0096). */
export const lentRole = (database: string): string => `${database}_lent`;

/** The PostgreSQL role of the tokens of agents, narrower than every role of people. */
export const agentRole = (database: string): string => `${database}_agent`;

/**
 * Creates the seven roles and the API's login where they are missing, sets the login's password, and makes the grants in
 * the schema exactly what the tables say. One transaction, under an advisory lock. Returns whether grants were applied.
 * Throws StartError when the database's name is too long or its owner may not create roles.
 */
export async function applyRolesAndGrants(client: pg.ClientBase, needs: GrantNeeds): Promise<boolean> {
  const { database, schema = "public" } = needs;
  if (Buffer.byteLength(database) > MAX_DATABASE_BYTES)
    throw new StartError(
      `The database's name must not be longer than ${MAX_DATABASE_BYTES} bytes, because its roles are named after it.`,
    );
  await client.query("begin");
  try {
    await client.query("select pg_advisory_xact_lock($1)", [LOCK]);
    await ensureRoles(client, needs);
    const before = await readCatalogue(client, schema);
    const elsewhere =
      schema === "public"
        ? await elsewhereGrants(client, before, {
            stranger: anonymousRole(database),
            readers: [
              ...ROLES.map((role): [string, Role] => [dbRole(database, role), role]),
              [lentRole(database), "viewer"],
            ],
          })
        : [];
    const applied = !before.recorded || before.recorded !== fingerprint(before, elsewhere);
    if (applied) {
      // Hundreds of them: one trip to the server, not one each.
      await client.query([...statements(before, database, schema), ...elsewhere].join(";\n"));
      if (before.hasMeta) await record(client, fingerprint(await readCatalogue(client, schema), elsewhere));
      await client.query("select pg_notify('pgrst', 'reload schema')");
    }
    await client.query("commit");
    return applied;
  } catch (error) {
    await client.query("rollback");
    if (error instanceof pg.DatabaseError && error.code === "42501" && /role/.test(error.message))
      throw new StartError(
        `The database's user needs CREATEROLE and must own the roles ${database}_*: ${error.message}.`,
      );
    throw error;
  }
}

/** Everything the grants depend on, and what is granted now. */
function fingerprint(read: Catalogue, elsewhere: string[]): string {
  const { relations, functions, uses, shown, schemas } = read;
  const catalogue = { relations, functions, uses, shown, schemas };
  const lent = [...LENDABLE].map(([name, { actions }]) => [name, actions]);
  const allowed = [...RELATIONS].map(([name, access]) => [name, access.read, access.write]);
  const matrix = ROLES.map((role) => [
    role,
    ...[...RELATIONS.values()].map((access) => [
      may([role], readPermission(access)),
      mayWrite(role, access.write),
    ]),
    ...[...RPCS.values()].map((permission) => may([role], permission)),
  ]);
  return createHash("sha256")
    .update(
      JSON.stringify({ allowed, lent, rpcs: [...RPCS], agents: AGENTS, matrix, ...catalogue, elsewhere }),
    )
    .digest("hex");
}

const record = (client: pg.ClientBase, hash: string) =>
  client.query(
    `insert into internal.meta (key, value) values ('grants', to_jsonb($1::text))
     on conflict (key) do update set value = excluded.value, updated_at = now()`,
    [hash],
  );

const mayWrite = (role: Role, resource: string | null) =>
  resource !== null && may([role], `write:${resource}` as Permission);

async function ensureRoles(client: pg.ClientBase, { database, apiPassword }: GrantNeeds): Promise<void> {
  const login = `${database}_api`;
  const roles = [
    ...ROLES.map((role) => dbRole(database, role)),
    agentRole(database),
    anonymousRole(database),
    lentRole(database),
  ];
  const names = [...roles, login];
  const { rows } = await client.query<{ version: number; existing: string[] }>(
    `select current_setting('server_version_num')::int as version,
       array(select rolname::text from pg_roles where rolname = any ($1)) as existing`,
    [names],
  );
  const { version, existing } = rows[0]!;
  const created = names
    .filter((candidate) => !existing.includes(candidate))
    .map((name) => `create role ${quote(name)} nologin`)
    .map(
      (sql) => `do $$ begin ${sql}; exception when duplicate_object or unique_violation then null; end $$`,
    );
  // The owner and the login may become each role, one at a time; neither has its rights otherwise.
  const options = version >= 160_000 ? " with inherit false, set true" : "";
  const lent = roles.flatMap((role) =>
    [quote(login), "current_user"].map((member) => `grant ${quote(role)} to ${member}${options}`),
  );
  const changes = [
    `login noinherit password '${scramVerifier(apiPassword)}'`,
    `set statement_timeout = '${STATEMENT_TIMEOUT}'`,
    "set jit = off",
  ].map((change) => `alter role ${quote(login)} ${change}`);
  await client.query([...created, ...lent, ...changes].join(";\n"));
}

/** What PostgreSQL keeps of a SCRAM password, made here so that the clear text is in no statement and no log. */
function scramVerifier(password: string): string {
  const iterations = 4096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize("NFKC"), salt, iterations, 32, "sha256");
  const key = (name: string) => createHmac("sha256", salted).update(name).digest();
  const stored = createHash("sha256").update(key("Client Key")).digest("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${stored}:${key("Server Key").toString("base64")}`;
}

/** Takes everything away, then gives each role what the tables say, and what that needs underneath. */
function statements(catalogue: Catalogue, database: string, schema: string): string[] {
  const everybody = [
    "public",
    ...ROLES.map((role) => quote(dbRole(database, role))),
    quote(agentRole(database)),
    quote(anonymousRole(database)),
    quote(lentRole(database)),
    quote(`${database}_api`),
  ];
  const from = `from ${everybody.join(", ")}`;
  return [
    `revoke temporary on database ${quote(database)} from public`,
    ...catalogue.schemas.flatMap(({ name }) => [
      `revoke all on schema ${quote(name)} ${from}`,
      `revoke all on all tables in schema ${quote(name)} ${from}`,
      `revoke all on all sequences in schema ${quote(name)} ${from}`,
    ]),
    ...catalogue.functions.map(({ name }) => `revoke all on function ${name} ${from}`),
    `grant usage on schema ${quote(schema)} to ${[...ROLES.map((role) => dbRole(database, role)), agentRole(database), lentRole(database)].map(quote).join(", ")}`,
    ...ROLES.flatMap((role) =>
      grantsOf(role, catalogue, schema).map((grant) => `${grant} to ${quote(dbRole(database, role))}`),
    ),
    ...lentGrants(catalogue, schema).map((grant) => `${grant} to ${quote(lentRole(database))}`),
    ...agentGrants(catalogue, schema).map((grant) => `${grant} to ${quote(agentRole(database))}`),
  ];
}

function grantsOf(role: Role, { relations, functions, uses }: Catalogue, schema: string): string[] {
  // Row policies run with their reader's rights, also those of private tables under a view.
  const grants = new Set(
    uses.filter(({ by }) => by === "policy").map(({ target }) => `grant execute on function ${target}`),
  );
  for (const relation of relations.filter((candidate) => candidate.schema === schema)) {
    const access = RELATIONS.get(relation.name);
    if (!access) continue;
    const read = may([role], readPermission(access));
    const write = mayWrite(role, access.write);
    if (read) grants.add(`grant select on ${relation.sql}`);
    if (write) grants.add(`grant insert, update, delete on ${relation.sql}`);
    for (const use of uses.filter(({ user, by }) => user === relation.sql && by !== "policy")) {
      // A view that runs with its reader's rights needs the private columns it names, no others; a column's default
      // needs its function. None of them can be named by the role itself, which has no USAGE on the schema.
      if (use.by === "default" ? write : read)
        grants.add(use.kind === "function" ? `grant execute on function ${use.target}` : selectOf(use));
    }
  }
  for (const { name, rpc } of functions) {
    const permission = rpc === null ? undefined : RPCS.get(rpc);
    if (permission && may([role], permission)) grants.add(`grant execute on function ${name}`);
  }
  return [...grants];
}

/** What every role reads, and the relations that records may open row by row. */
function lentGrants(catalogue: Catalogue, schema: string): string[] {
  const known = (name: string) =>
    catalogue.relations.find((relation) => relation.schema === schema && relation.name === name);
  return [
    ...grantsOf("viewer", catalogue, schema),
    ...[...LENDABLE].flatMap(([name, { actions }]) => {
      const relation = known(name);
      if (!relation) return [];
      const defaults = catalogue.uses.filter(({ user, by }) => user === relation.sql && by === "default");
      return [
        `grant select on ${relation.sql}`,
        ...actions
          .filter((action) => action !== "read")
          .map((action) => `grant ${action} on ${relation.sql}`),
        ...(actions.includes("insert")
          ? defaults.map(({ target }) => `grant execute on function ${target}`)
          : []),
      ];
    }),
  ];
}
