import { canaries } from "./definitions/canaries.ts";
import { teams } from "./definitions/teams.ts";
import type { ResourceKind } from "./resource.ts";

/** Every kind that has pages in the settings, by its table. A new one is a definition and a line here. */
const KINDS: ReadonlyMap<string, ResourceKind> = new Map([canaries, teams].map((kind) => [kind.table, kind]));

/** The kind whose pages an address means; throws the 404 page for anything else. */
export function kindOf(table: string | undefined): ResourceKind {
  const kind = KINDS.get(table ?? "");
  if (!kind) throw new Response("Not found", { status: 404 });
  return kind;
}
