import { canaryFileRow } from "#app/contract/rows/import-report.ts";
import { canariesYaml } from "#app/contract/specs/manifest.ts";
import type { Api } from "#app/lib/api.server.ts";
import { eq, ilike, isNull, or, orderBy } from "#app/lib/filter.ts";

/** Rows of one call; the API gives no more. */
const PAGE = 2000;
/** The product makes these itself. */
const OWN = { namespace: "pilothouse", source: "ConfigFile" };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Canaries as YAML with a name for the file: one by its id, those that a search finds, or all. Null: there is no such one. */
export async function exportCanaries(
  api: Api,
  { id, query }: { id: string; query: string },
): Promise<{ name: string; yaml: string } | null> {
  if (id) {
    const one = UUID.test(id) ? await api.find(canaryFileRow, { id: eq(id), deleted_at: isNull }) : null;
    return one && { name: `${one.namespace}-${one.name}`, yaml: canariesYaml([one]) };
  }
  const parts: string[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const rows = await api.list(canaryFileRow, {
      deleted_at: isNull,
      or: or([
        ["name", ilike(query)],
        ["source", ilike(query)],
      ]),
      order: orderBy("namespace", "name", "id"),
      limit: PAGE,
      offset,
    });
    const foreign = rows.filter((row) => row.namespace !== OWN.namespace || row.source !== OWN.source);
    if (foreign.length > 0) parts.push(canariesYaml(foreign));
    if (rows.length < PAGE) return { name: "canaries", yaml: parts.join("---\n") };
  }
}
