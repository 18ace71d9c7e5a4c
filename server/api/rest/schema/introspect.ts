/** The catalogue's rows as a Schema: relations, relationships, functions and role settings of the exposed schemas. */
import type { Catalog, RoutineRow } from "./catalog.ts";
import { relationshipsOf, type Named } from "./relationships.ts";
import { keyOf, type Name, type Parameter, type Relation, type Relationship } from "./schema.ts";
import type { RoleSettings, Routine, Schema } from "./schema.ts";
import { readViewColumns, shownAs, type ViewColumns } from "./view-keys.ts";

const JSON_TYPES = new Set(["json", "jsonb"]);

/** `schemas`: the exposed ones. Nothing of another schema can be named in a request. */
export function buildSchema(catalog: Catalog, schemas: string[]): Schema {
  const names = new Map<string, Name>();
  const exposed = new Set<string>();
  for (const { oid, schema, name, is_partition } of catalog.relations) {
    names.set(oid, { schema, name });
    if (schemas.includes(schema) && !is_partition) exposed.add(oid);
  }
  const columns = new Map<string, Map<number, string>>();
  for (const { relation, number, name } of catalog.columns) {
    const list = columns.get(relation) ?? new Map<number, string>();
    columns.set(relation, list.set(number, name));
  }
  const views = readViewColumns(catalog);
  const columnOf = (oid: string, number: number) => columns.get(oid)?.get(number) ?? "";
  const keys = primaryKeys(catalog, views, columnOf);
  const named: Named = {
    nameOf: (oid) => (exposed.has(oid) ? names.get(oid) : undefined),
    columnOf,
    primaryKeyOf: (oid) => keys.get(oid) ?? [],
  };
  const relations = readRelations(catalog, named);
  return {
    relations,
    relationships: group(relationshipsOf(catalog, views, named), computedOf(catalog, named)),
    routines: readRoutines(catalog, named),
    roles: readRoles(catalog),
  };
}

function primaryKeys(
  catalog: Catalog,
  views: ViewColumns,
  columnOf: (oid: string, number: number) => string,
): Map<string, string[]> {
  const keys = new Map<string, string[]>();
  for (const { kind, relation, columns } of catalog.constraints) {
    if (kind !== "p") continue;
    const inOrder = [...columns].sort((a, b) => a - b);
    keys.set(
      relation,
      inOrder.map((number) => columnOf(relation, number)),
    );
    for (const [view, shown] of views) {
      const [first] = shownAs(shown, relation, columns);
      if (!first) continue;
      const all = [...(keys.get(view) ?? []), ...first.map((number) => columnOf(view, number))];
      keys.set(view, [...new Set(all)].sort());
    }
  }
  return keys;
}

function readRelations(catalog: Catalog, named: Named): Map<string, Relation> {
  const relations = new Map<string, Relation>();
  const byOid = new Map<string, Relation>();
  for (const { oid, kind, writes } of catalog.relations) {
    const name = named.nameOf(oid);
    if (!name) continue;
    const relation: Relation = {
      ...name,
      isView: kind === "v" || kind === "m",
      columns: new Map(),
      primaryKey: named.primaryKeyOf(oid),
      insertable: (writes & 8) !== 0,
      updatable: (writes & 4) !== 0,
      deletable: (writes & 16) !== 0,
    };
    byOid.set(oid, relation);
    relations.set(keyOf(name.schema, name.name), relation);
  }
  for (const { relation, name, type, base_type, default: value } of catalog.columns) {
    byOid.get(relation)?.columns.set(name, { name, type, isJson: JSON_TYPES.has(base_type), default: value });
  }
  return relations;
}

const CARDINALITIES = ["one-to-many", "many-to-one", "one-to-one", "many-to-many"];

/** Sorted as PostgREST does, so that ambiguity is reported in the same order. */
function sortKey(relationship: Relationship): string {
  const { target, isSelf } = relationship;
  const kind =
    relationship.kind === "computed"
      ? "9"
      : `${CARDINALITIES.indexOf(relationship.cardinality)} ${relationship.constraint} ${JSON.stringify([relationship.columns, relationship.junction])}`;
  return `${target.schema} ${target.name} ${isSelf ? 1 : 0} ${kind}`;
}

/** A computed relationship takes the place of the keys' relationships to a relation of the function's name. */
function group(fromKeys: Relationship[], computed: Relationship[]): Map<string, Relationship[]> {
  const all = new Map<string, Relationship[]>();
  const overridden = new Set(
    computed.map((item) => `${keyOf(item.origin.schema, item.origin.name)}\0${computedName(item)}`),
  );
  for (const item of [...fromKeys, ...computed]) {
    const key = keyOf(item.origin.schema, item.origin.name);
    if (item.kind === "key" && overridden.has(`${key}\0${item.target.name}`)) continue;
    const list = all.get(key);
    if (list) list.push(item);
    else all.set(key, [item]);
  }
  const keyed = new Map<Relationship, string>();
  for (const list of all.values()) {
    for (const item of list) keyed.set(item, sortKey(item));
    list.sort((a, b) => ((keyed.get(a) ?? "") < (keyed.get(b) ?? "") ? -1 : 1));
  }
  return all;
}

function computedName(item: Relationship): string {
  return item.kind === "computed" ? item.function.name : "";
}

/** Functions from one relation's row to rows of a relation. */
function computedOf(catalog: Catalog, named: Named): Relationship[] {
  return catalog.routines.flatMap((row): Relationship[] => {
    const [argument, ...more] = row.argument_relations;
    if (argument === undefined || argument === "0" || more.length > 0 || row.return_relation === "0")
      return [];
    const [origin, target] = [named.nameOf(argument), named.nameOf(row.return_relation)];
    if (!origin || !target) return [];
    const isSelf = argument === row.return_relation;
    const isToOne = !row.returns_set || row.rows === 1;
    return [
      { kind: "computed", origin, target, isSelf, isToOne, function: { schema: row.schema, name: row.name } },
    ];
  });
}

function readRoutines(catalog: Catalog, named: Named): Map<string, Routine[]> {
  const routines = new Map<string, Routine[]>();
  for (const row of catalog.routines) {
    const routine = readRoutine(row, named);
    if (!routine) continue;
    const key = keyOf(row.schema, row.name);
    const list = routines.get(key);
    if (list) list.push(routine);
    else routines.set(key, [routine]);
  }
  return routines;
}

const UNNAMED_TYPES = new Set(["json", "jsonb", "text", "bytea", "xml"]);
const VOLATILITY = { v: "volatile", s: "stable", i: "immutable" } as const;

/** Null for a function that no request can call: parameters without names, unless it is the only one and takes a body. */
function readRoutine(row: RoutineRow, named: Named): Routine | null {
  const parameters: Parameter[] = [];
  row.types.forEach((type, at) => {
    const mode = row.modes?.[at] ?? "i";
    if (!["i", "b", "v"].includes(mode)) return;
    const isJson = JSON_TYPES.has(row.base_types[at] ?? "");
    parameters.push({
      name: row.names?.[at] ?? "",
      type,
      isJson,
      isRequired: true,
      isVariadic: mode === "v",
    });
  });
  for (const parameter of parameters.slice(parameters.length - row.defaults)) parameter.isRequired = false;
  const isUnnamed =
    parameters.length === 1 && parameters[0]?.name === "" && UNNAMED_TYPES.has(parameters[0].type);
  if (!isUnnamed && parameters.some(({ name }) => name === "")) return null;
  const hasOut = row.modes?.some((mode) => ["t", "b", "o"].includes(mode)) ?? false;
  const settings = readSettings(row.settings ?? []);
  return {
    schema: row.schema,
    name: row.name,
    parameters,
    isUnnamed,
    volatility: VOLATILITY[row.volatility],
    returnsSet: row.returns_set,
    returns: row.return_type === "void" ? "void" : row.return_kind === "c" || hasOut ? "row" : "scalar",
    relation: (row.return_relation !== "0" && named.nameOf(row.return_relation)) || null,
    settings: settings.settings.filter(([name]) => name === "statement_timeout"),
    isolation: settings.isolation,
  };
}

function readRoles(catalog: Catalog): Map<string, RoleSettings> {
  return new Map(catalog.roles.map(({ role, settings }) => [role, readSettings(settings)]));
}

/** Settings that may be set by anyone inside a transaction; the isolation level is begun with instead. */
function readSettings(list: string[]): RoleSettings {
  const result: RoleSettings = { settings: [], isolation: null };
  for (const item of [...list].sort()) {
    const at = item.indexOf("=");
    const [name, value] = [item.slice(0, at).toLowerCase(), item.slice(at + 1)];
    if (name === "default_transaction_isolation") result.isolation = value.toLowerCase();
    else if (/^[a-z_][\w.]*$/.test(name) && !NOT_OURS.has(name)) result.settings.push([name, value]);
  }
  return result;
}

/** Set per request. */
const NOT_OURS = new Set(["role", "search_path", "session_authorization"]);
