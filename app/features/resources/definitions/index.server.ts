import type { SpecTable } from "../spec/table.server.ts";
import { canarySpecs } from "./canaries.server.ts";

const TABLES: ReadonlyMap<string, SpecTable> = new Map([["canaries", canarySpecs]]);

/** How the specs of a kind are written; throws the 404 page for a kind that has none. */
export function specTable(table: string): SpecTable {
  const found = TABLES.get(table);
  if (!found) throw new Response("Not found", { status: 404 });
  return found;
}
