/** `GET /schemas/<name>.schema.json` (backend §6.7): JSON schemas made from the tables of fields. */
import { z } from "zod";
import { CanaryManifest, CanarySpec, checkKinds } from "#app/contract/specs/checks/index.ts";
import { ApiError } from "./errors.ts";
import type { Route } from "./router.ts";

const sources: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ["canary", CanaryManifest],
  ["canary.spec", CanarySpec],
  ...[...checkKinds].map(([type, { spec }]): [string, z.ZodType] => [`health_${type}`, spec]),
]);
const made = new Map<string, object>();

/** The JSON schema (draft 7, of what a person writes) of that name; null when there is none. */
function schemaFor(name: string): object | null {
  const known = made.get(name);
  if (known) return known;
  const source = sources.get(name);
  if (!source) return null;
  const schema = z.toJSONSchema(source, { target: "draft-7", io: "input" });
  made.set(name, schema);
  return schema;
}

export function schemaRoutes(): Route[] {
  return [
    {
      method: "GET",
      path: "/schemas/:file",
      who: "signed-in",
      handler: (c) => {
        const file = c.req.param("file") ?? "";
        const schema = file.endsWith(".schema.json")
          ? schemaFor(file.slice(0, -".schema.json".length))
          : null;
        if (!schema) throw new ApiError(404, "There is no such schema");
        return c.json(schema);
      },
    },
  ];
}
