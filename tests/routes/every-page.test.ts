import { matchRoutes } from "@remix-run/react";
import type { RouteConfigEntry } from "@remix-run/route-config";
import { expect, test } from "vitest";
import routes from "#app/routes.ts";
import { ENDPOINTS, PAGES, PUBLIC } from "./access.ts";

type RouteObject = Parameters<typeof matchRoutes>[0][number];
const toObjects = (entries: RouteConfigEntry[]): RouteObject[] =>
  entries.map(({ file, path, index, children }) => ({
    id: file,
    ...(path === undefined ? {} : { path }),
    ...(index && path === undefined ? { index: true } : { children: toObjects(children ?? []) }),
  })) as RouteObject[];
const idsOf = (entries: RouteConfigEntry[]): string[] =>
  entries.flatMap(({ file, children }) => [file, ...idsOf(children ?? [])]);

test("every route is in the access table, or declared public or an endpoint", async () => {
  const entries = await routes;
  const objects = toObjects(entries);
  const covered = Object.keys(PAGES).flatMap(
    (path) => matchRoutes(objects, path)?.map((match) => match.route.id) ?? [],
  );
  const known = new Set([...covered, ...PUBLIC, ...ENDPOINTS]);
  expect(idsOf(entries).filter((id) => !known.has(id))).toEqual([]);
});
