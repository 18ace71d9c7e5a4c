/** What of a database is ours to keep: tables, sequences and partitions of `public` and `internal`, nothing of extensions. */
import type pg from "pg";
import type { Header } from "./format.ts";

/** graphile_worker's schema is not here: jobs are made again from the rows that want them. */
export const SCHEMAS = ["public", "internal"];

/** SQL: is this an extension's object? */
export const ofExtension = (catalogue: string, oid: string) =>
  `exists (select from pg_depend d where d.classid = '${catalogue}'::regclass and d.objid = ${oid} and d.deptype = 'e')`;

/** Values are written and read the same way whatever the server's settings are. */
export const SAME_WORDS = [
  "set local datestyle = 'ISO, YMD'",
  "set local intervalstyle = 'postgres'",
  "set local timezone = 'UTC'",
  "set local bytea_output = 'hex'",
  "set local extra_float_digits = 3",
  "set local client_encoding = 'UTF8'",
  "set local statement_timeout = 0",
  "set local lock_timeout = '30s'",
];

/** Tables that hold rows themselves (partitions do so for their parents), without columns that are computed. */
export async function readTables(client: pg.ClientBase): Promise<Omit<Header["tables"][number], "rows">[]> {
  const { rows } = await client.query<Omit<Header["tables"][number], "rows">>(
    `select n.nspname::text as schema, c.relname::text as name,
       array(select a.attname::text from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
             order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ($1) and c.relkind in ('r', 'p') and not c.relispartition
       and not ${ofExtension("pg_class", "c.oid")}
     order by 1, 2`,
    [SCHEMAS],
  );
  return rows;
}

/** Where each sequence stands. A sequence is never behind the rows of a snapshot that was taken before. */
export async function readSequences(client: pg.ClientBase): Promise<Header["sequences"]> {
  const { rows } = await client.query<{ schema: string; name: string; sql: string }>(
    `select n.nspname::text as schema, c.relname::text as name, format('%I.%I', n.nspname, c.relname) as sql
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ($1) and c.relkind = 'S' and not ${ofExtension("pg_class", "c.oid")} order by 1, 2`,
    [SCHEMAS],
  );
  const sequences: Header["sequences"] = [];
  for (const { schema, name, sql } of rows) {
    const state = await client.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${sql}`,
    );
    sequences.push({ schema, name, ...state.rows[0]! });
  }
  return sequences;
}

/** Partitions with their bounds as CREATE TABLE takes them, parents before children. */
export async function readPartitions(client: pg.ClientBase): Promise<Header["partitions"]> {
  const { rows } = await client.query<Header["partitions"][number]>(
    `select n.nspname::text as schema, c.relname::text as name, i.inhparent::regclass::text as parent,
       pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_inherits i on i.inhrelid = c.oid
     where n.nspname = any ($1) and c.relkind = 'r' and c.relispartition order by 1, 2`,
    [SCHEMAS],
  );
  return rows;
}
