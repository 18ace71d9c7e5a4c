/** Grants on the schemas that stand beside the exposed one: `standalone` and `shown`. */
import pg from "pg";
import { may, type Role } from "#app/contract/access.ts";
import { SHOWN, shownTo, STANDALONE } from "#app/contract/relations.ts";
import type { Catalogue } from "./grants-catalogue.ts";

interface Names {
  /** The PostgreSQL role of strangers. */
  stranger: string;
  /** Other PostgreSQL roles, each with the role whose reading it may do. */
  readers: readonly (readonly [name: string, role: Role])[];
}

const quote = (name: string) => pg.escapeIdentifier(name);

/** Statements; none for a schema before its migration. */
export async function elsewhereGrants(
  client: pg.ClientBase,
  { functions }: Catalogue,
  { stranger, readers }: Names,
): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select nspname as name from pg_namespace where nspname = any ($1)",
    [[STANDALONE.schema, SHOWN.schema]],
  );
  const isThere = (schema: string) => rows.some(({ name }) => name === schema);
  const named = (known: readonly string[]) =>
    functions.filter(({ name }) => known.some((one) => name.startsWith(`${one}(`)));
  return [
    ...(isThere(STANDALONE.schema) ? strangerGrants(stranger, named(STANDALONE.functions)) : []),
    ...(isThere(SHOWN.schema)
      ? readers.flatMap((reader) => shownGrants(reader, named(SHOWN.functions)))
      : []),
  ];
}

/** The schema of standalone mode and nothing else. */
function strangerGrants(stranger: string, called: Catalogue["functions"]): string[] {
  const { schema, relations, inside } = STANDALONE;
  const to = `to ${quote(stranger)}`;
  return [
    ...revoked(schema, stranger),
    `grant usage on schema public, ${schema} ${to}`,
    ...[...relations, ...inside].map((name) => `grant select on ${schema}.${quote(name)} ${to}`),
    ...called.map(({ name }) => `grant execute on function ${name} ${to}`),
  ];
}

/** Specs without secrets, for a role that does not write them. */
function shownGrants([reader, role]: readonly [string, Role], called: Catalogue["functions"]): string[] {
  const { schema, relations } = SHOWN;
  const shown = shownTo([role]);
  if (shown.size === 0) return revoked(schema, reader);
  const to = `to ${quote(reader)}`;
  const read = [...relations].filter(
    ([name, resource]) => shown.has(name) && may([role], `read:${resource}`),
  );
  return [
    ...revoked(schema, reader),
    `grant usage on schema ${schema} ${to}`,
    ...read.map(([name]) => `grant select on ${schema}.${quote(name)} ${to}`),
    ...called.map(({ name }) => `grant execute on function ${name} ${to}`),
  ];
}

const revoked = (schema: string, from: string) => [
  `revoke all on schema ${schema} from ${quote(from)}`,
  `revoke all on all tables in schema ${schema} from ${quote(from)}`,
];
