/** The result of a write: what must hold of it before the commit, and where the new row is. */
import { refuse } from "./errors.ts";
import type { Media } from "./parse/headers.ts";
import type { Rows } from "./pipeline.ts";
import { escapeComponent, headerPath } from "./parse/query-string.ts";
import { notOneRow } from "./read.ts";
import type { RestRequest } from "./request.ts";

/** What must hold before the commit. */
export function checkOf(
  request: RestRequest,
  write: { limit: number | null },
  media: Media,
): ((results: Rows[]) => void) | null {
  const { method } = request;
  const isLimited = write.limit !== null && (method === "PATCH" || method === "DELETE");
  if (media.format !== "object" && method !== "PUT" && !isLimited) return null;
  return (results) => {
    const count = Number(results.at(-1)?.[0]?.[1]);
    if (method === "PUT" && count !== 1)
      throw refuse(400, "115", "Payload values do not match URL in primary key column(s)");
    if (isLimited && count > (write.limit ?? Infinity)) {
      throw refuse(400, "110", "The maximum number of rows allowed to change was surpassed", {
        details: `Results contain ${count} rows changed but the maximum number allowed is ${write.limit}`,
      });
    }
    if (media.format === "object" && count !== 1) throw notOneRow(count);
  };
}

export function locationOf(table: string, key: string[], json: string): string {
  // Numbers stay as they were written: a bigint does not fit a JavaScript number.
  const row = JSON.parse(json.replaceAll(/(":\s*)(-?\d[\d.eE+-]*)/g, '$1"$2"')) as Record<string, unknown>;
  const parts = key.map((name) => {
    const value = row[name];
    if (value == null) return `${escapeComponent(name)}=is.null`;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${escapeComponent(name)}=${escapeComponent(`eq.${text}`)}`;
  });
  return `${headerPath(table)}?${parts.join("&")}`;
}
