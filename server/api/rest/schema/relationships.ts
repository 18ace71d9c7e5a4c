/** Relationships from foreign keys, for tables and for the views that show the keys (facts of PostgREST §7.1). */
import type { Catalog, ConstraintRow } from "./catalog.ts";
import type { ForeignKeyRelationship, Name } from "./schema.ts";
import { shownAs, type ViewColumns } from "./view-keys.ts";

/** One end of a foreign key: a relation and its columns, in the order of the key. */
interface End extends Name {
  oid: string;
  isView: boolean;
  columns: string[];
}

export interface Named {
  nameOf(oid: string): Name | undefined;
  columnOf(oid: string, number: number): string;
  /** By oid: the columns of the primary key, for views too. */
  primaryKeyOf(oid: string): string[];
}

function sameSet(a: number[], b: number[]): boolean {
  return a.length === b.length && a.every((item) => b.includes(item));
}

/** The table itself and every view that shows all the columns. */
function endsOf(table: string, numbers: number[], views: ViewColumns, named: Named): End[] {
  const ends: End[] = [];
  const add = (oid: string, own: number[], isView: boolean) => {
    const name = named.nameOf(oid);
    if (name) ends.push({ ...name, oid, isView, columns: own.map((number) => named.columnOf(oid, number)) });
  };
  add(table, numbers, false);
  for (const [view, columns] of views)
    for (const own of shownAs(columns, table, numbers)) add(view, own, true);
  return ends;
}

type KeyEnds = { key: ConstraintRow; isToOne: boolean; local: End; foreign: End };

function relate({ key, isToOne, local, foreign }: KeyEnds, inverse: boolean): ForeignKeyRelationship {
  const [origin, target] = inverse ? [foreign, local] : [local, foreign];
  return {
    kind: "key",
    origin: { schema: origin.schema, name: origin.name },
    target: { schema: target.schema, name: target.name },
    targetIsView: target.isView,
    isSelf: local.oid === foreign.oid,
    cardinality: isToOne ? "one-to-one" : inverse ? "one-to-many" : "many-to-one",
    constraint: key.name,
    columns: origin.columns.map((column, at) => [column, target.columns[at] ?? ""]),
  };
}

export function relationshipsOf(
  catalog: Catalog,
  views: ViewColumns,
  named: Named,
): ForeignKeyRelationship[] {
  const uniques = catalog.constraints.filter(({ kind }) => kind !== "f");
  const ends: KeyEnds[] = [];
  for (const key of catalog.constraints) {
    if (key.kind !== "f") continue;
    const isToOne = uniques.some(
      (unique) => unique.relation === key.relation && sameSet(unique.columns, key.columns),
    );
    for (const local of endsOf(key.relation, key.columns, views, named))
      for (const foreign of endsOf(key.target, key.target_columns ?? [], views, named))
        ends.push({ key, isToOne, local, foreign });
  }
  const direct = ends.flatMap((end) => [relate(end, false), relate(end, true)]);
  return [...direct, ...manyToMany(ends, named)];
}

/** A junction has two many-to-one keys whose columns are all part of its primary key. */
function manyToMany(ends: KeyEnds[], named: Named): ForeignKeyRelationship[] {
  const byJunction = new Map<string, KeyEnds[]>();
  for (const end of ends) {
    const key = named.primaryKeyOf(end.local.oid);
    if (end.isToOne || !end.local.columns.every((column) => key.includes(column))) continue;
    const list = byJunction.get(end.local.oid);
    if (list) list.push(end);
    else byJunction.set(end.local.oid, [end]);
  }
  const found: ForeignKeyRelationship[] = [];
  for (const list of byJunction.values())
    for (const one of list)
      for (const other of list) if (one.key.name !== other.key.name) found.push(throughJunction(one, other));
  return found;
}

function throughJunction(one: KeyEnds, other: KeyEnds): ForeignKeyRelationship {
  const pairs = ({ local, foreign }: KeyEnds) =>
    foreign.columns.map((column, at): [string, string] => [column, local.columns[at] ?? ""]);
  const { local: junction, foreign: origin } = one;
  const target = other.foreign;
  return {
    kind: "key",
    origin: { schema: origin.schema, name: origin.name },
    target: { schema: target.schema, name: target.name },
    targetIsView: target.isView,
    isSelf: origin.oid === target.oid,
    cardinality: "many-to-many",
    constraint: "",
    columns: [],
    junction: {
      schema: junction.schema,
      name: junction.name,
      constraints: [one.key.name, other.key.name],
      origin: pairs(one),
      target: pairs(other),
    },
  };
}
