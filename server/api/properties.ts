/** `GET /properties` (facts: backend §6.6): feature flags and tuning, the installation's own before the database's. */
import type pg from "pg";
import type { Property } from "#app/contract/features.ts";
import type { AsCaller } from "./caller.ts";
import { noLocalProperties, type LocalProperties } from "./properties-file.ts";
import type { Route } from "./router.ts";

/** A new object each time: the driver writes into the one it is given. */
const statement = () => ({
  name: "properties",
  text: "select name, value from public.properties where deleted_at is null order by name",
});

/** A property with where it comes from. */
export interface ListedProperty extends Property {
  source: "local" | "db";
}

/** All that hold: local ones first, and a row of the database only where no local one has its name. */
export async function readProperties(
  client: Pick<pg.ClientBase, "query">,
  local: LocalProperties = noLocalProperties,
): Promise<ListedProperty[]> {
  const [own, { rows }] = await Promise.all([local(), client.query<Property>(statement())]);
  const taken = new Set(own.map(({ name }) => name));
  return [
    ...own.map((property) => ({ ...property, source: "local" as const })),
    ...rows.filter(({ name }) => !taken.has(name)).map((row) => ({ ...row, source: "db" as const })),
  ];
}

/** The contract's own list, read as the caller: the flags are nothing that is kept from whoever is signed in. */
export function propertyRoutes({
  asCaller,
  local,
}: {
  asCaller: AsCaller;
  local?: LocalProperties;
}): Route[] {
  return [
    {
      method: "GET",
      path: "/properties",
      who: "signed-in",
      handler: async (c) => {
        const rows = await asCaller(c.get("principal"), (client) => readProperties(client, local));
        return c.json(
          rows.map(({ name, value, source }) => ({ name, value, source, type: "", description: "" })),
        );
      },
    },
  ];
}
