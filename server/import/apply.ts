/** Writes what was read, and says what became of each document. */
import type pg from "pg";
import type { ImportedDocument, ImportReport, Remark } from "#app/contract/rows/import-report.ts";
import { NO_AGENT } from "#app/contract/words/resources.ts";
import type { Entry, Reading, WantedCanary } from "./entry.ts";
import { keyOf } from "./read.ts";

/** Who owns what is written: people edit `UI` on the pages, `ConfigFile` belongs to its file. */
export type Source = "UI" | "ConfigFile";

export interface ApplyNeeds {
  file: string;
  source: Source;
  /** Says what would happen and writes nothing. */
  dry?: boolean;
  /** people.id of who asked; null: nobody in person. */
  personId?: string | null;
  /** Refuses a canary that this file may not have, with the reason: of two files with one name the first counts. */
  veto?(key: string): string | null;
  /** Called with the id of each canary that is as the file wants it. */
  kept?(id: string, key: string): void;
}

interface Existing extends WantedCanary {
  id: string;
  source: string | null;
  deleted: boolean;
}

/** Held while an import writes: two that name the same canary follow one another. */
const LOCK = 7_072_454_081;

/**
 * Applies all documents of one file in the caller's transaction. A canary is known by namespace and name; one that
 * belongs to somebody else is refused, never taken over. One that was deleted comes back with its history.
 */
export async function applyReading(
  client: pg.ClientBase,
  { format, entries, notes }: Reading,
  needs: ApplyNeeds,
): Promise<ImportReport> {
  if (!needs.dry) await client.query("select pg_advisory_xact_lock($1)", [LOCK]);
  const existing = await find(client, entries);
  const documents: ImportedDocument[] = [];
  for (const entry of entries) documents.push(await applyEntry(client, entry, existing, needs));
  return { file: needs.file, format, dry: needs.dry ?? false, documents, notes };
}

async function find(client: pg.ClientBase, entries: Entry[]): Promise<Map<string, Existing[]>> {
  const wanted = entries.flatMap(({ canary }) => (canary ? [canary] : []));
  const found = new Map<string, Existing[]>();
  if (wanted.length === 0) return found;
  const { rows } = await client.query<Existing>(
    `select id, name, namespace, source, coalesce(labels, '{}') as labels, coalesce(annotations, '{}') as annotations,
       spec, deleted_at is not null as deleted
     from public.canaries
     where agent_id = $1 and (namespace, name) in (select * from unnest($2::text[], $3::text[]))
     order by deleted_at desc nulls first, created_at desc`,
    [NO_AGENT, wanted.map(({ namespace }) => namespace), wanted.map(({ name }) => name)],
  );
  for (const row of rows) found.set(keyOf(row), [...(found.get(keyOf(row)) ?? []), row]);
  return found;
}

async function applyEntry(
  client: pg.ClientBase,
  { line, title, canary, refused, skipped, warnings }: Entry,
  existing: Map<string, Existing[]>,
  needs: ApplyNeeds,
): Promise<ImportedDocument> {
  const document = { line, title, canary: canary ? keyOf(canary) : null, warnings };
  const refuse = (reason: Remark): ImportedDocument => ({ ...document, status: "refused", reason });
  if (skipped) return { ...document, status: "skipped", reason: skipped };
  if (refused || !canary) return refuse(refused ?? remark(line, "there is nothing in it"));
  const rows = existing.get(keyOf(canary)) ?? [];
  const foreign = rows.find(({ deleted, source }) => !deleted && source !== needs.source);
  if (foreign) return refuse(remark(line, foreignWords(keyOf(canary), foreign.source)));
  const veto = needs.veto?.(keyOf(canary));
  if (veto) return refuse(remark(line, veto));
  const own = rows.find(({ source }) => source === needs.source);
  const status = !own || own.deleted ? "applied" : isSame(own, canary) ? "unchanged" : "changed";
  if (!needs.dry) {
    const id = own ? own.id : await insert(client, canary, needs);
    if (own && status !== "unchanged") await update(client, own.id, canary);
    needs.kept?.(id, keyOf(canary));
  }
  return { ...document, status, reason: null };
}

const remark = (line: number, message: string): Remark => ({ line, column: null, path: "", message });

function foreignWords(key: string, source: string | null): string {
  const owner = new Map([
    ["UI", "somebody made it on the pages"],
    ["ConfigFile", "it belongs to a file of PILOTHOUSE_CONFIG, or to the product itself"],
    ["KubernetesCRD", "it belongs to Kubernetes"],
  ]).get(source ?? "");
  return `${key} is there already, and ${owner ?? `its source is ${source || "unknown"}`}: delete that one first, or give this one another name`;
}

async function insert(client: pg.ClientBase, canary: WantedCanary, needs: ApplyNeeds): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into public.canaries (name, namespace, source, labels, annotations, spec, created_by)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [canary.name, canary.namespace, needs.source, ...columnsOf(canary), needs.personId ?? null],
  );
  return rows[0]!.id;
}

const update = (client: pg.ClientBase, id: string, canary: WantedCanary) =>
  client.query(
    "update public.canaries set labels = $2, annotations = $3, spec = $4, deleted_at = null where id = $1",
    [id, ...columnsOf(canary)],
  );

const columnsOf = ({ labels, annotations, spec }: WantedCanary) =>
  [labels, annotations, spec].map((value) => JSON.stringify(value));

/** The same, whatever the order of the fields: the database keeps none. */
function isSame(one: WantedCanary, other: WantedCanary): boolean {
  const [a, b] = [one, other].map(({ labels, annotations, spec }) => sorted({ labels, annotations, spec }));
  return a === b;
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
