import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../options.ts";
import { parseQuery } from "../parse/query.ts";
import { keyOf, type ForeignKeyRelationship, type Relation, type Schema } from "../schema/schema.ts";
import { Parameters } from "../sql/sql.ts";
import { countSql, readSql } from "../sql/read.ts";
import { closestName } from "./fuzzy.ts";
import { planRead } from "./plan.ts";

const name = (word: string) => ({ schema: "api", name: word });
const relation = (word: string, columns: Record<string, string>): [string, Relation] => [
  keyOf("api", word),
  {
    ...name(word),
    isView: false,
    columns: new Map(
      Object.entries(columns).map(([key, type]) => [
        key,
        { name: key, type, isJson: type === "jsonb", default: null },
      ]),
    ),
    primaryKey: ["id"],
    insertable: true,
    updatable: true,
    deletable: true,
  },
];
const key = (
  origin: string,
  target: string,
  constraint: string,
  columns: [string, string][],
  cardinality: ForeignKeyRelationship["cardinality"],
): ForeignKeyRelationship => ({
  kind: "key",
  origin: name(origin),
  target: name(target),
  targetIsView: false,
  isSelf: origin === target,
  cardinality,
  constraint,
  columns,
});

const schema: Schema = {
  relations: new Map([
    relation("projects", {
      id: "integer",
      name: "text",
      created_by: "integer",
      labels: "jsonb",
      tags: "text[]",
    }),
    relation("people", { id: "integer", name: "text" }),
    relation("tasks", { id: "integer", project_id: "integer" }),
  ]),
  relationships: new Map([
    [
      keyOf("api", "projects"),
      [
        key("projects", "people", "created_fkey", [["created_by", "id"]], "many-to-one"),
        key("projects", "people", "owner_fkey", [["owner_id", "id"]], "many-to-one"),
        key("projects", "tasks", "tasks_fkey", [["id", "project_id"]], "one-to-many"),
      ],
    ],
    [keyOf("api", "tasks"), [key("tasks", "projects", "tasks_fkey", [["project_id", "id"]], "many-to-one")]],
  ]),
  routines: new Map(),
  roles: new Map(),
};
const context = { schema, maxRows: 100 as number | null, aggregates: false, limits: DEFAULT_LIMITS };

function sql(
  query: string,
  own: Partial<typeof context> = {},
): { text: string; values: (string | null)[]; count: string } {
  const parsed = parseQuery(query, { isCallByGet: false, maxLogicNodes: 200, now: new Date(0) });
  const node = planRead(name("projects"), parsed, { ...context, ...own });
  const parameters = new Parameters();
  const text = readSql(node, null, parameters);
  return { text, values: parameters.values, count: countSql(node, null, new Parameters()) };
}
const refused = (query: string, own: Partial<typeof context> = {}) => {
  try {
    sql(query, own);
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return "accepted";
};

describe("the statement", () => {
  test("values are parameters, names are quoted", () => {
    expect(sql('select=id&"na\\"me"=eq.x\'%3B drop&labels->>a=in.(1,"2")&limit=5')).toMatchObject({
      text: `SELECT "api"."projects"."id" FROM "api"."projects" WHERE "api"."projects"."na""me" = $1 AND ("api"."projects"."labels")->>$2::text = ANY ($3) LIMIT $4`,
    });
  });
  test("JSON paths into other types go through JSON", () => {
    expect(sql("select=tags->0").text).toContain('(to_jsonb("api"."projects"."tags"))->$1::int AS "tags"');
  });
  test("a to-one embed is a row, a to-many an array with the cap of all reads", () => {
    const { text, values } = sql("select=id,created_by(name),tasks(id)&tasks.id=gt.1&tasks.limit=500");
    expect(text).toContain(
      `LEFT JOIN LATERAL (SELECT "people_1"."name" FROM "api"."people" AS "people_1" WHERE "people_1"."id" = "api"."projects"."created_by") AS "projects_created_by_1" ON TRUE`,
    );
    expect(text).toContain('row_to_json("projects_created_by_1".*) AS "created_by"');
    expect(values).toEqual(["1", "100", "100"]);
  });
  test("an inner embed filters its parent, in the count too", () => {
    const { text, count } = sql("select=id,tasks!inner(id)&tasks.id=eq.1");
    expect(text).toContain("INNER JOIN LATERAL");
    expect(count).toContain(
      'EXISTS (SELECT 1 FROM "api"."tasks" AS "tasks_1" WHERE "tasks_1"."project_id" = "api"."projects"."id" AND "tasks_1"."id" = $1)',
    );
  });
  test("the test of an embed as a whole", () => {
    expect(sql("select=id,tasks(id)&tasks=is.null").text).toContain(
      '"projects_tasks_1" IS NOT DISTINCT FROM NULL',
    );
  });
  test("aggregates group by what is left, also those of a spread embed", () => {
    const { text } = sql("select=name,id.sum(),...created_by(n:id.max())", { aggregates: true });
    expect(text).toContain('MAX("projects_created_by_1"."pgrst_agg_1") AS "n"');
    expect(text).toContain('GROUP BY "api"."projects"."name"');
  });
});

describe("refusals", () => {
  test.each([
    ["select=nope(id)", "PGRST200"],
    ["select=people(id)", "PGRST201"],
    ["select=people!owner_fkey(id)", "accepted"],
    ["select=people!created_by(id)", "accepted"],
    ["select=created_fkey(id)", "accepted"],
    ["select=id&tasks.id=eq.1", "PGRST108"],
    ["select=id,tasks(id)&order=tasks(id)", "PGRST118"],
    ["select=id,...tasks(id)", "PGRST119"],
    ["select=id.sum()", "PGRST123"],
    ["select=id::int4); drop table x", "accepted"],
    ["select=id::a$b", "42704"],
    ["select=tasks(projects(tasks(projects(tasks(projects(tasks(id)))))))", "PGRST100"],
  ])("%s: %s", (query, code) => {
    expect(refused(query)).toBe(code);
  });
  test("more relations than the limit", () => {
    expect(refused("select=tasks(id),created_by(id)", { limits: { ...DEFAULT_LIMITS, relations: 2 } })).toBe(
      "PGRST100",
    );
  });
});

test("the closest name is found, a far one is not", () => {
  expect(closestName("projcts", ["people", "projects"])).toBe("projects");
  expect(closestName("zzz", ["people", "projects"])).toBeNull();
});
