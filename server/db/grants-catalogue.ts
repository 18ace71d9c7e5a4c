/** What the grants are made from: the exposed and the private schema as the catalogue has them. Read only. */
import type pg from "pg";

export interface Catalogue {
  schemas: { name: string; acl: string | null }[];
  relations: {
    schema: string;
    name: string;
    sql: string;
    kind: string;
    acl: string | null;
    columnAcl: string | null;
  }[];
  /** Own functions. `name` is callable SQL with argument types; `rpc` is the name in /rpc, null for triggers and private ones. */
  functions: { name: string; rpc: string | null; acl: string | null }[];
  /** What a relation's view rule or column defaults use in the private schema, and functions in both; of row policies all functions. */
  uses: {
    user: string;
    by: "rule" | "default" | "policy";
    kind: "relation" | "function";
    target: string;
    columns: string[];
  }[];
  /** The columns of the exposed schema's own relations that its views with their reader's rights show. */
  shown: { user: string; target: string; columns: string[] }[];
  hasMeta: boolean;
  /** The fingerprint of what was applied last; null when nothing was. */
  recorded: string | null;
}

/** Reads the exposed schema and `internal`, where there is one. */
export async function readCatalogue(client: pg.ClientBase, schema: string): Promise<Catalogue> {
  const schemas = [schema, "internal"];
  const { rows } = await client.query<Omit<Catalogue, "recorded">>({
    text: CATALOGUE,
    values: [schemas, schema],
  });
  const catalogue = rows[0]!;
  if (!catalogue.hasMeta) return { ...catalogue, recorded: null };
  const meta = await client.query<{ hash: string }>(
    "select value #>> '{}' as hash from internal.meta where key = 'grants'",
  );
  return { ...catalogue, recorded: meta.rows[0]?.hash ?? null };
}

/** `$1` the schemas, `$2` the exposed one. Partitions and what belongs to extensions are left out. */
const CATALOGUE = `
with spaces as (
  select oid, nspname, nspacl from pg_namespace where nspname = any ($1)
), rels as (
  select c.oid, n.nspname, c.relname, c.relkind, c.relacl, c.reloptions,
    format('%I.%I', n.nspname, c.relname) as sql
  from pg_class c join spaces n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
), funcs as (
  select p.oid, p.proacl, n.nspname, p.proname, p.prorettype,
    format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)) as sql
  from pg_proc p join spaces n on n.oid = p.pronamespace
  where p.prokind in ('f', 'p', 'a')
    and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
), used as (
  select r.ev_class as user_oid, 'rule' as by, d.refclassid, d.refobjid, d.refobjsubid
  from pg_rewrite r
  join rels v on v.oid = r.ev_class and v.relkind = 'v' and 'security_invoker=true' = any (v.reloptions)
  join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refobjid <> r.ev_class
  union all
  select a.adrelid, 'default', d.refclassid, d.refobjid, d.refobjsubid
  from pg_attrdef a
  join pg_depend d on d.classid = 'pg_attrdef'::regclass and d.objid = a.oid
), uses as (
  select users.sql as "user", used.by, 'relation' as kind, target.sql as target,
    array_remove(array_agg(distinct a.attname::text order by a.attname::text), null) as columns
  from used
  join rels users on users.oid = used.user_oid and users.nspname = $2
  join rels target on target.oid = used.refobjid and target.nspname <> $2
  left join pg_attribute a on a.attrelid = target.oid and a.attnum = used.refobjsubid and used.refobjsubid > 0
  where used.refclassid = 'pg_class'::regclass and used.by = 'rule'
  group by 1, 2, 4
  union all
  select distinct users.sql, used.by, 'function', target.sql, '{}'::text[]
  from used
  join rels users on users.oid = used.user_oid and users.nspname = $2
  join funcs target on target.oid = used.refobjid
  where used.refclassid = 'pg_proc'::regclass
  union all
  select distinct users.sql, 'policy', 'function', target.sql, '{}'::text[]
  from pg_policy p
  join rels users on users.oid = p.polrelid
  join pg_depend d on d.classid = 'pg_policy'::regclass and d.objid = p.oid and d.refclassid = 'pg_proc'::regclass
  join funcs target on target.oid = d.refobjid
), shown as (
  select users.sql as "user", target.sql as target,
    array_remove(array_agg(distinct a.attname::text order by a.attname::text), null) as columns
  from used
  join rels users on users.oid = used.user_oid and users.nspname = $2
  join rels target on target.oid = used.refobjid and target.nspname = $2
  left join pg_attribute a on a.attrelid = target.oid and a.attnum = used.refobjsubid and used.refobjsubid > 0
  where used.refclassid = 'pg_class'::regclass and used.by = 'rule'
  group by 1, 2
)
select
  (select coalesce(json_agg(json_build_object('name', nspname, 'acl', nspacl::text) order by nspname), '[]')
     from spaces) as schemas,
  (select coalesce(json_agg(json_build_object('schema', nspname, 'name', relname, 'sql', sql, 'kind', relkind,
       'acl', relacl::text, 'columnAcl', (select string_agg(attname || attacl::text, ' ' order by attnum)
         from pg_attribute where attrelid = rels.oid and attacl is not null)) order by sql), '[]')
     from rels) as relations,
  (select coalesce(json_agg(json_build_object('name', sql, 'acl', proacl::text,
       'rpc', case when nspname = $2 and prorettype <> 'trigger'::regtype then proname end) order by sql), '[]')
     from funcs) as functions,
  (select coalesce(json_agg(uses order by uses), '[]') from uses) as uses,
  (select coalesce(json_agg(shown order by shown), '[]') from shown) as shown,
  to_regclass('internal.meta') is not null as "hasMeta"
`;
