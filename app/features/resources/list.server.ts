import {
  newestJobRow,
  resourceListRow,
  stampRow,
  type ListedPart,
  type ResourceRow,
} from "#app/contract/rows/resources.ts";
import type { Api } from "#app/lib/api.server.ts";
import { eq, ilike, inList, isNull, or, orderBy } from "#app/lib/filter.ts";
import { NEWEST, type ResourcesSearch } from "./paths.ts";
import type { Column, ResourceKind } from "./resource.ts";

/** Which part of the row a column is drawn from. */
const PART_OF: ReadonlyMap<Column, ListedPart> = new Map<Column, ListedPart>([
  ["schedule", "schedule"],
  ["namespace", "namespace"],
  ["labels", "labels"],
  ["last_runtime", "lastRun"],
  ["job_status", "job"],
]);
const partsOf = ({ columns, hasAgent }: ResourceKind): ListedPart[] => [
  ...(hasAgent ? (["agent"] as const) : []),
  ...columns.flatMap((column) => PART_OF.get(column) ?? []),
];

export type ListedResource = ResourceRow & { updated_at: Date | null };

/** One page of a kind's resources and how many there are; sorted, searched and paged by the database. */
export async function listResources(
  api: Api,
  kind: ResourceKind,
  { query, sort, page, pageSize }: ResourcesSearch,
): Promise<{ rows: ListedResource[]; total: number }> {
  const { by, desc } = kind.columns.includes(sort.by) ? sort : NEWEST; // an address may name any column
  const { rows, total } = await api.page(resourceListRow(kind.table, partsOf(kind)), {
    deleted_at: isNull,
    or: or([
      ["name", ilike(query)],
      ["source", ilike(query)],
    ]),
    order: orderBy(`${by}.${desc ? "desc" : "asc"}.nullslast`, "id"),
    limit: pageSize,
    offset: (page - 1) * pageSize,
  });
  const stamps = await stampsOf(api, kind, rows);
  const changed = new Map(stamps.map((row) => [row.id, row.updated_at ?? null]));
  return { rows: rows.map((row) => ({ ...row, updated_at: changed.get(row.id) ?? null })), total };
}

/** As many ids as an address has room for. */
const IDS_AT_ONCE = 200;

async function stampsOf(api: Api, { table }: ResourceKind, rows: readonly { id: string }[]) {
  const ids = rows.map(({ id }) => id);
  const parts = Array.from({ length: Math.ceil(ids.length / IDS_AT_ONCE) }, (_, part) =>
    api.list(stampRow(table), { id: inList(ids.slice(part * IDS_AT_ONCE, (part + 1) * IDS_AT_ONCE)) }),
  );
  return (await Promise.all(parts)).flat();
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Anything may stand in an address; only an id may be asked for. */
export const isId = (text: string): boolean => UUID.test(text);

/** The newest job of one resource of a list, for its dialog; null when nothing was asked for or there is none. */
export const findNewestJob = (api: Api, { table }: ResourceKind, id: string) =>
  isId(id) ? api.find(newestJobRow(table), { id: eq(id) }) : Promise.resolve(null);
