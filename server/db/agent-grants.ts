/** What the PostgreSQL role of agents gets: its relations, and underneath no more than the columns that these show. */
import pg from "pg";
import { AGENTS } from "#app/contract/relations.ts";
import type { Catalogue } from "./grants-catalogue.ts";

/** Reading a relation, or only some of its columns. */
export const selectOf = ({ target, columns }: { target: string; columns: string[] }): string =>
  `grant select${columns.length > 0 ? ` (${columns.map((name) => pg.escapeIdentifier(name)).join(", ")})` : ""} on ${target}`;

/** Grants without their `to`. */
export function agentGrants({ relations, functions, uses, shown }: Catalogue, schema: string): string[] {
  const grants = new Set<string>();
  const beneath = (user: string) => {
    for (const use of uses)
      if (use.user === user && use.by !== "default")
        grants.add(use.kind === "function" ? `grant execute on function ${use.target}` : selectOf(use));
    for (const use of shown)
      if (use.user === user && use.target !== user) {
        grants.add(selectOf(use));
        beneath(use.target);
      }
  };
  for (const { name, sql } of relations.filter((candidate) => candidate.schema === schema))
    if (AGENTS.relations.some((known) => known === name)) {
      grants.add(`grant select on ${sql}`);
      beneath(sql);
    }
  for (const { name, rpc } of functions)
    if (AGENTS.rpcs.some((known) => known === rpc)) grants.add(`grant execute on function ${name}`);
  return [...grants];
}
