/** The matrix has no gap: a page, an action's intent, a path of the API or a table without a line fails here. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { matchRoutes } from "@remix-run/react";
import type { RouteConfigEntry } from "@remix-run/route-config";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { may, RESOURCES, ROLES, type Permission } from "#app/contract/access.ts";
import { AGENTS, readPermission, RELATIONS, RPCS } from "#app/contract/relations.ts";
import routes from "#app/routes.ts";
import { mayAgentsUse, mayUse } from "#server/api/db.ts";
import { createControlPlane, type ControlPlane } from "#server/plane.ts";
import { ENDPOINTS, PAGES, PUBLIC } from "#tests/routes/access.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { API, FOR_AGENTS, INTENTS, OPEN_ACTIONS, OPEN_ROUTES } from "./lines.ts";
import { toObjects } from "./route-objects.ts";
import { EVERYTHING, specified } from "./spec.ts";

const APP = new URL("../../app/", import.meta.url).pathname;

const idsOf = (entries: RouteConfigEntry[]): string[] =>
  entries.flatMap(({ file, children }) => [file, ...idsOf(children ?? [])]);

describe("pages", () => {
  test("every route is in the access table, or declared public or an endpoint", async () => {
    const entries = await routes;
    const objects = toObjects(entries);
    const covered = Object.keys(PAGES).flatMap(
      (path) => matchRoutes(objects, path)?.map((match) => match.route.id) ?? [],
    );
    const known = new Set([...covered, ...PUBLIC, ...ENDPOINTS]);
    expect(idsOf(entries).filter((id) => !known.has(id))).toEqual([]);
  });
});

/** The names of an action's intents as its module has them; `readable` is false where they are not written there. */
function intentsOf(file: string): { hasAction: boolean; names: string[]; readable: boolean } {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(APP, file), "utf8"),
    ts.ScriptTarget.Latest,
    true,
    file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const found = { hasAction: false, names: [] as string[], readable: true };
  const isExported = (node: ts.Node) =>
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false);
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) && node.name?.text === "action" && isExported(node))
      found.hasAction = true;
    if (ts.isVariableStatement(node) && isExported(node))
      found.hasAction ||= node.declarationList.declarations.some(({ name }) => name.getText() === "action");
    if (ts.isExportDeclaration(node)) found.hasAction ||= /\baction\b/.test(node.getText());
    if (ts.isCallExpression(node) && node.expression.getText() === "submit") {
      const given = node.arguments[1];
      if (given && ts.isObjectLiteralExpression(given))
        for (const property of given.properties) {
          if (property.name && !ts.isComputedPropertyName(property.name))
            found.names.push(property.name.getText().replace(/^["']|["']$/g, ""));
          else found.readable = false;
        }
      else found.readable = false;
    }
    // form.get("intent") === "delete", or what was read of it before
    if (
      ts.isBinaryExpression(node) &&
      /\.get\("intent"\)|^intent$/.test(node.left.getText()) &&
      ts.isStringLiteral(node.right)
    )
      found.names.push(node.right.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { ...found, names: [...new Set(found.names)] };
}

const filesBelow = (folder: string): string[] =>
  readdirSync(join(APP, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(folder, name));

describe("intents", () => {
  const modules = filesBelow("routes").map((file) => ({ file, ...intentsOf(file) }));
  const linesOf = (file: string) => INTENTS.filter((line) => line.file === file).map(({ intent }) => intent);

  test("every action has a line for each of its intents, and every line an action", () => {
    const wrong: string[] = [];
    for (const { file, hasAction, names, readable } of modules) {
      if (OPEN_ACTIONS.includes(file)) continue;
      const lines = linesOf(file);
      if (!readable)
        wrong.push(`${file}: its intents are not an object literal in submit(): they cannot be read`);
      if (hasAction && lines.length === 0)
        wrong.push(`${file}: its action has no line in tests/matrix/lines.ts`);
      for (const name of names)
        if (!lines.includes(name))
          wrong.push(`${file}: the intent "${name}" has no line in tests/matrix/lines.ts`);
    }
    const files = new Set(modules.filter(({ hasAction }) => hasAction).map(({ file }) => file));
    for (const { file, intent } of INTENTS)
      if (!files.has(file)) wrong.push(`${file} has no action for "${intent}"`);
    expect(wrong).toEqual([]);
  });

  test("every form that is drawn says an intent that has a line", () => {
    const known = new Set([...INTENTS.map(({ intent }) => intent), "prefer", "sign-out", "succeed", "fail"]);
    const drawn = [...filesBelow("routes"), ...filesBelow("features"), ...filesBelow("ui")].flatMap((file) =>
      [...readFileSync(join(APP, file), "utf8").matchAll(/\bintent="([^"]+)"/g)].map(([, name]) => ({
        file,
        name,
      })),
    );
    expect(drawn.length).toBeGreaterThan(5);
    expect(drawn.filter(({ name }) => !known.has(name!))).toEqual([]);
  });

  test("every line's address leads to its module", async () => {
    const objects = toObjects(await routes);
    const astray = INTENTS.filter(
      ({ file, path }) => !matchRoutes(objects, path)?.some(({ route }) => route.id === file),
    );
    expect(astray).toEqual([]);
  });
});

describe("the API", () => {
  let db: TestDatabase;
  let plane: ControlPlane;
  beforeAll(async () => {
    db = await createDatabase();
    plane = await createControlPlane(
      {
        version: "test",
        databaseUrl: db.url,
        apiPassword: "only-for-this-run",
        key: "k".repeat(64),
        host: "127.0.0.1",
        port: 1,
        publicUrl: null,
        webUrl: null,
        webProbe: null,
        admin: null,
      },
      () => undefined,
    );
  });
  afterAll(async () => {
    await plane?.stop(0);
    await db?.drop();
  });

  test("every method and path has a line that says what it needs, and every line a path", () => {
    const table = plane.routes.map(({ method, path, who }): [string, string] => [`${method} ${path}`, who]);
    expect(Object.fromEntries(table)).toEqual(API);
    expect(table).toHaveLength(Object.keys(API).length); // none twice
  });

  test("agents may call what has their line, nothing else", () => {
    const forAgents = plane.routes
      .filter(({ agents }) => agents)
      .map(({ method, path }) => `${method} ${path}`);
    expect(forAgents.sort()).toEqual([...FOR_AGENTS].sort());
  });

  test("what is open because it sees to its own credentials is written down path by path", () => {
    const table = [...new Set(plane.openRoutes.map(({ method, path }) => `${method} ${path}`))];
    expect(table.sort()).toEqual([...OPEN_ROUTES].sort());
  });
});

describe("the tables of access, against the specification", () => {
  test("every role and resource", () => {
    expect([...RESOURCES]).toEqual([...EVERYTHING]);
    const wrong: string[] = [];
    for (const role of ROLES)
      for (const permission of [
        ...RESOURCES.flatMap((resource): Permission[] => [`read:${resource}`, `write:${resource}`]),
        "run:check" as const,
      ])
        if (may([role], permission) !== specified(role, permission)) wrong.push(`${role} ${permission}`);
    expect(wrong).toEqual([]);
  });

  test("/db lets through what the specification allows on each relation and function, and no more", () => {
    const wrong: string[] = [];
    for (const role of ROLES) {
      for (const [name, access] of RELATIONS) {
        const expected = {
          read: specified(role, readPermission(access)),
          write: access.write !== null && specified(role, `write:${access.write}`),
        };
        for (const action of ["read", "insert", "update", "delete"] as const) {
          const verdict = mayUse({ kind: "relation", name, action, embedded: false }, role);
          if ((verdict === "yes") !== expected[action === "read" ? "read" : "write"])
            wrong.push(`${role} ${action} ${name}: ${verdict}`);
        }
      }
      for (const [name, permission] of RPCS)
        if (
          (mayUse({ kind: "rpc", name, action: "call", embedded: false }, role) === "yes") !==
          specified(role, permission)
        )
          wrong.push(`${role} calls ${name}`);
    }
    expect(wrong).toEqual([]);
  });

  test("agents read their relations, write none, and none of what only some roles read", () => {
    for (const name of RELATIONS.keys()) {
      const listed = AGENTS.relations.some((known) => known === name);
      expect(mayAgentsUse({ kind: "relation", name, action: "read", embedded: false }), name).toBe(
        listed ? "yes" : "no",
      );
      for (const action of ["insert", "update", "delete"] as const)
        expect(mayAgentsUse({ kind: "relation", name, action, embedded: false }), name).toBe("no");
    }
    for (const name of AGENTS.relations) {
      const access = RELATIONS.get(name);
      expect(access && specified("viewer", readPermission(access)), name).toBe(true);
    }
  });
});
