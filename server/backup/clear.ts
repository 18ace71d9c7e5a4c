/** What is in a database before something is restored into it: whether it matters, and how it goes. */
import type pg from "pg";
import { ofExtension } from "./catalogue.ts";

/** Rows that somebody would miss; what the product makes by itself at a first start is none of them. */
const MISSED = new Map([
  ["people", "id <> '00000000-0000-0000-0000-000000000001'"],
  ["agents", "id <> '00000000-0000-0000-0000-000000000000'"],
  ["canaries", "(source, namespace) is distinct from ('ConfigFile', 'pilothouse')"],
  ["connections", "true"],
]);

/** Does the database hold anything that somebody made? */
export async function holdsData(client: pg.ClientBase): Promise<boolean> {
  for (const [name, condition] of MISSED) {
    const there = await client.query("select from pg_class where oid = to_regclass($1)", [`public.${name}`]);
    if (there.rowCount === 0) continue;
    const found = await client.query(`select from public.${name} where ${condition} limit 1`);
    if (found.rowCount !== 0) return true;
  }
  return false;
}

/**
 * Drops everything of ours, extensions of others left alone. In one transaction with what follows, so that it can be
 * undone. The schema `public` itself stays, with the rights it has.
 */
export async function clear(client: pg.ClientBase): Promise<void> {
  for (const schema of ["standalone", "shown", "internal", "graphile_worker"])
    await client.query(`drop schema if exists ${schema} cascade`);
  const { rows } = await client.query<{ statement: string }>(DROPS);
  for (const { statement } of rows) await client.query(statement);
}

/** Statements that drop what the current user owns in `public`; each may be gone already by the time it runs. */
const DROPS = `
select format('drop %s if exists %s cascade',
    case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
    format('%I.%I', 'public', relname)) as statement
  from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S') and not relispartition
    and pg_has_role(relowner, 'USAGE') and not ${ofExtension("pg_class", "pg_class.oid")}
    and not exists ( -- the sequence of an identity column goes with its table
      select from pg_depend d
      where d.classid = 'pg_class'::regclass and d.objid = pg_class.oid and relkind = 'S' and d.deptype = 'i')
union all
select format('drop routine if exists %I.%I(%s) cascade', 'public', proname, pg_get_function_identity_arguments(oid))
  from pg_proc
  where pronamespace = 'public'::regnamespace and pg_has_role(proowner, 'USAGE')
    and not ${ofExtension("pg_proc", "pg_proc.oid")}
union all
select format('drop type if exists %I.%I cascade', 'public', typname)
  from pg_type
  where typnamespace = 'public'::regnamespace and typtype in ('e', 'd', 'r') and pg_has_role(typowner, 'USAGE')
    and not ${ofExtension("pg_type", "pg_type.oid")}`;
