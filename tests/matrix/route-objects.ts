import type { matchRoutes } from "@remix-run/react";
import type { RouteConfigEntry } from "@remix-run/route-config";

type RouteObject = Parameters<typeof matchRoutes>[0][number];

/** The table of routes as `matchRoutes` takes it; the id of each is its file. */
export const toObjects = (entries: RouteConfigEntry[]): RouteObject[] =>
  entries.map(({ file, path, index, children }) => ({
    id: file,
    ...(path === undefined ? {} : { path }),
    ...(index && path === undefined ? { index: true } : { children: toObjects(children ?? []) }),
  })) as RouteObject[];
