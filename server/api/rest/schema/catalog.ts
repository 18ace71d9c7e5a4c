/** The catalogue queries of introspection: plain rows, read in one transaction with an empty search path. */
import type { ClientBase } from "pg";

/** All names come out of the catalogue as text; oids too, as they are only compared. */
export interface RelationRow {
  oid: string;
  schema: string;
  name: string;
  kind: string;
  is_partition: boolean;
  /** pg_relation_is_updatable: 8 insert, 4 update, 16 delete. */
  writes: number;
}
export interface ColumnRow {
  relation: string;
  number: number;
  name: string;
  type: string;
  base_type: string;
  default: string | null;
}
export interface ConstraintRow {
  name: string;
  kind: "p" | "u" | "f";
  relation: string;
  target: string;
  columns: number[];
  target_columns: number[] | null;
}
export interface ViewRow {
  oid: string;
  tree: string;
}
export interface RoutineRow {
  schema: string;
  name: string;
  names: string[] | null;
  modes: string[] | null;
  types: string[];
  base_types: string[];
  defaults: number;
  is_variadic: boolean;
  volatility: "v" | "s" | "i";
  returns_set: boolean;
  rows: number;
  return_kind: string;
  return_relation: string;
  return_type: string;
  argument_relations: string[];
  settings: string[] | null;
}
export interface RoleRow {
  role: string;
  settings: string[];
}

export interface Catalog {
  relations: RelationRow[];
  columns: ColumnRow[];
  constraints: ConstraintRow[];
  views: ViewRow[];
  routines: RoutineRow[];
  roles: RoleRow[];
}

const OWN = `n.nspname <> 'pg_catalog' and n.nspname <> 'information_schema' and n.nspname !~ '^pg_(toast|temp)'`;

const RELATIONS = `
select c.oid::text, n.nspname as schema, c.relname as name, c.relkind as kind, c.relispartition as is_partition,
  case when n.nspname = any ($1) and c.relkind in ('v', 'f') then pg_relation_is_updatable(c.oid, true)
    when c.relkind in ('r', 'p') then 28 else 0 end as writes
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'v', 'm', 'f', 'p') and ${OWN}`;

const COLUMNS = `
select a.attrelid::text as relation, a.attnum::int as number, a.attname as name,
  format_type(a.atttypid, a.atttypmod) as type,
  format_type(coalesce(nullif(t.typbasetype, 0), t.oid), null) as base_type,
  case when a.attidentity <> '' then
      (select format('nextval(%L::regclass)', s.objid::regclass) from pg_depend s
       where s.classid = 'pg_class'::regclass and s.refclassid = 'pg_class'::regclass and s.deptype = 'i'
         and s.refobjid = a.attrelid and s.refobjsubid = a.attnum)
    when a.attgenerated <> '' then null
    else pg_get_expr(d.adbin, d.adrelid) end as default
from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
join pg_type t on t.oid = a.atttypid
left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'v', 'm', 'f', 'p') and ${OWN}
order by a.attrelid, a.attnum`;

const CONSTRAINTS = `
select k.conname as name, k.contype as kind, k.conrelid::text as relation, k.confrelid::text as target,
  k.conkey::int[] as columns, k.confkey::int[] as target_columns
from pg_constraint k join pg_namespace n on n.oid = k.connamespace
where k.contype in ('p', 'u', 'f') and k.conparentid = 0 and ${OWN}
order by k.conrelid, k.conname`;

const VIEWS = `
select c.oid::text, r.ev_action::text as tree
from pg_rewrite r join pg_class c on c.oid = r.ev_class join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('v', 'm') and r.ev_type = '1' and ${OWN}`;

const ROUTINES = `
select n.nspname as schema, p.proname as name, p.proargnames as names, p.proargmodes::text[] as modes,
  array(select format_type(t, null) from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality u(t, i) order by i) as types,
  array(select format_type(coalesce(nullif(y.typbasetype, 0), y.oid), null)
    from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality u(t, i) join pg_type y on y.oid = t order by i) as base_types,
  p.pronargdefaults::int as defaults, p.provariadic <> 0 as is_variadic, p.provolatile as volatility, p.proretset as returns_set,
  p.prorows as rows, coalesce(nullif(b.typtype, 'd'), r.typtype) as return_kind,
  coalesce(nullif(b.typrelid, 0), r.typrelid)::text as return_relation, r.typname as return_type,
  array(select y.typrelid::text from unnest(p.proargtypes::oid[]) with ordinality u(t, i) join pg_type y on y.oid = t order by i) as argument_relations,
  p.proconfig as settings
from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_type r on r.oid = p.prorettype
left join pg_type b on b.oid = r.typbasetype
where p.prokind = 'f' and n.nspname = any ($1) and p.prorettype <> 'pg_catalog.trigger'::regtype
order by p.proname, p.oid`;

const ROLES = `
select r.rolname as role, array(
    select setting from unnest(r.rolconfig) setting where not exists (
      select from pg_settings s
      where s.name = lower(split_part(setting, '=', 1)) and s.context <> 'user')) as settings
from pg_auth_members m join pg_roles r on r.oid = m.roleid
where m.member = current_user::regrole and r.rolconfig is not null`;

/** Reads everything about the database; `schemas` are the exposed ones. */
export async function readCatalog(client: ClientBase, schemas: string[]): Promise<Catalog> {
  await client.query("begin isolation level repeatable read read only");
  try {
    await client.query(
      "select set_config('search_path', '', true), set_config('statement_timeout', '60000', true)",
    );
    const rows = async <T extends object>(text: string, values: unknown[] = []) =>
      (await client.query<T>(text, values)).rows;
    return {
      relations: await rows<RelationRow>(RELATIONS, [schemas]),
      columns: await rows<ColumnRow>(COLUMNS),
      constraints: await rows<ConstraintRow>(CONSTRAINTS),
      views: await rows<ViewRow>(VIEWS),
      routines: await rows<RoutineRow>(ROUTINES, [schemas]),
      roles: await rows<RoleRow>(ROLES),
    };
  } finally {
    await client.query("rollback");
  }
}
