import { ListedProperties, propertyRow } from "#app/contract/rows/properties.ts";
import type { Api } from "#app/lib/api.server.ts";
import { isNull, orderBy } from "#app/lib/filter.ts";
import type { Flag } from "./model.ts";

/** Every property that holds, by name: local ones as the API merges them, the others with who wrote them and when. */
export async function listFlags(api: Api): Promise<Flag[]> {
  const [merged, rows] = await Promise.all([
    api.call("/properties", ListedProperties),
    api.list(propertyRow, { deleted_at: isNull, order: orderBy("name.asc") }),
  ]);
  const byName = new Map(rows.map((row) => [row.name, row]));
  const flags = merged.map(({ name, value, description, source }): Flag => {
    const isLocal = source === "local";
    const row = isLocal ? undefined : byName.get(name);
    return {
      name,
      value: row?.value ?? value ?? "",
      description: description ?? "",
      isLocal,
      author: row?.created_by?.name ?? null,
      createdAt: row?.created_at ?? null,
      updatedAt: row?.updated_at ? new Date(row.updated_at) : null,
      seen: row?.updated_at ?? "",
    };
  });
  return flags.sort((a, b) => (a.name < b.name ? -1 : 1));
}
