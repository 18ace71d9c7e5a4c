import { describe, expect, test } from "vitest";
import type { Catalog, ColumnRow, RelationRow } from "./catalog.ts";
import { buildSchema } from "./introspect.ts";
import { columnOrigins } from "./node-tree.ts";
import { keyOf, type Relationship } from "./schema.ts";

/** The text form of a view's rule whose select list shows these columns; `null` for an expression. */
function tree(columns: ([relation: string, column: number] | null)[]): string {
  const entries = columns.map(
    (column, at) =>
      `{TARGETENTRY :expr {VAR :varno 1 :resno 9 :resorigtbl 77} :resno ${at + 1} :resname a\\ \\{b ` +
      `:resorigtbl ${column?.[0] ?? 0} :resorigcol ${column?.[1] ?? 0} :resjunk false}`,
  );
  const inner = "{QUERY :targetList ({TARGETENTRY :resno 1 :resorigtbl 99 :resorigcol 1 :resjunk false})}";
  return `({QUERY :commandType 1 :rtable ({RANGETBLENTRY :subquery ${inner}}) :targetList (${entries.join(" ")}) :limitCount <>})`;
}

describe("a view's rule", () => {
  test("the outermost select list tells where columns come from", () => {
    expect(columnOrigins(tree([["10", 1], null, ["11", 2]]))).toEqual([
      { column: 1, relation: "10", originColumn: 1 },
      { column: 3, relation: "11", originColumn: 2 },
    ]);
    expect(columnOrigins("")).toEqual([]);
  });
});

const relation = (
  oid: string,
  schema: string,
  name: string,
  kind = "r",
  is_partition = false,
): RelationRow => ({
  oid,
  schema,
  name,
  kind,
  is_partition,
  writes: 28,
});
const columns = (oid: string, names: string[]): ColumnRow[] =>
  names.map((name, at) => ({
    relation: oid,
    number: at + 1,
    name,
    type: "integer",
    base_type: "integer",
    default: null,
  }));

const catalog: Catalog = {
  relations: [
    relation("1", "api", "projects"),
    relation("2", "hidden", "crates"),
    relation("3", "api", "crates_view", "v"),
    relation("4", "api", "view_of_view", "v"),
    relation("5", "api", "links"),
    relation("6", "api", "projects_2024", "r", true),
    relation("7", "api", "tags"),
  ],
  columns: [
    ...columns("1", ["id", "parent_id"]),
    ...columns("2", ["id", "project_id", "secret"]),
    ...columns("3", ["id", "project_id"]),
    ...columns("4", ["project", "total"]),
    ...columns("5", ["project_id", "tag_id"]),
    ...columns("7", ["id"]),
  ],
  constraints: [
    { name: "projects_pkey", kind: "p", relation: "1", target: "0", columns: [1], target_columns: null },
    { name: "parent_fkey", kind: "f", relation: "1", target: "1", columns: [2], target_columns: [1] },
    { name: "crates_pkey", kind: "p", relation: "2", target: "0", columns: [1], target_columns: null },
    { name: "crates_fkey", kind: "f", relation: "2", target: "1", columns: [2], target_columns: [1] },
    { name: "links_pkey", kind: "p", relation: "5", target: "0", columns: [1, 2], target_columns: null },
    { name: "links_project", kind: "f", relation: "5", target: "1", columns: [1], target_columns: [1] },
    { name: "links_tag", kind: "f", relation: "5", target: "7", columns: [2], target_columns: [1] },
    { name: "tags_pkey", kind: "p", relation: "7", target: "0", columns: [1], target_columns: null },
  ],
  views: [
    {
      oid: "3",
      tree: tree([
        ["2", 1],
        ["2", 2],
      ]),
    },
    { oid: "4", tree: tree([["3", 2], null]) },
  ],
  routines: [],
  roles: [
    {
      role: "slow",
      settings: ["statement_timeout=5s", "default_transaction_isolation=serializable", "search_path=x"],
    },
  ],
};

describe("the schema", () => {
  const schema = buildSchema(catalog, ["api"]);
  const from = (name: string) => schema.relationships.get(keyOf("api", name)) ?? [];
  const shown = (item: Relationship) =>
    item.kind === "key"
      ? `${item.cardinality} ${item.target.name} ${item.constraint || (item.junction?.name ?? "")}`
      : "";

  test("has the exposed relations without partitions", () => {
    expect([...schema.relations.keys()].map((key) => key.split("\0")[1])).toEqual([
      "projects",
      "crates_view",
      "view_of_view",
      "links",
      "tags",
    ]);
  });
  test("a view has the key of its hidden table and its relationships, through views of views", () => {
    expect(schema.relations.get(keyOf("api", "crates_view"))?.primaryKey).toEqual(["id"]);
    expect(from("crates_view").map(shown)).toEqual(["many-to-one projects crates_fkey"]);
    expect(from("view_of_view").map(shown)).toEqual(["many-to-one projects crates_fkey"]);
  });
  test("keys relate both ways, to themselves and through junctions", () => {
    expect(from("projects").map(shown)).toEqual([
      "one-to-many crates_view crates_fkey",
      "one-to-many links links_project",
      "one-to-many projects parent_fkey",
      "many-to-one projects parent_fkey",
      "many-to-many tags links",
      "one-to-many view_of_view crates_fkey",
    ]);
  });
  test("settings of roles are kept, but for those of the request", () => {
    expect(schema.roles.get("slow")).toEqual({
      settings: [["statement_timeout", "5s"]],
      isolation: "serializable",
    });
  });
});
