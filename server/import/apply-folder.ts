/** A whole folder into the database: each file in one transaction, then what is in none of them any more is deleted. */
import type pg from "pg";
import type { ImportReport } from "#app/contract/rows/import-report.ts";
import { inTransaction } from "#server/db/pool.ts";
import { applyReading } from "./apply.ts";
import type { Reading } from "./entry.ts";
import type { FolderFile } from "./folder.ts";
import { place } from "./words.ts";

export interface FolderResult {
  applied: number;
  changed: number;
  unchanged: number;
  deleted: number;
  /** `file: line 3: what is wrong`. */
  errors: string[];
}

/** Canaries of the product itself are there, made at every start. */
const OWN_NAMESPACE = "pilothouse";

/**
 * Of two files with a canary of one name the first, by its name, counts. A file with something refused in it, or that
 * cannot be read, keeps the canaries it had: a mistake deletes nothing.
 */
export async function applyFolder(
  pool: pg.Pool,
  files: readonly FolderFile[],
  read: (file: FolderFile) => Promise<Reading>,
): Promise<FolderResult> {
  const owners = new Map<string, string>();
  const kept: string[] = [];
  const spared: string[] = [];
  const result: FolderResult = { applied: 0, changed: 0, unchanged: 0, deleted: 0, errors: [] };
  for (const file of files) {
    if (file.error !== null) {
      spared.push(file.path);
      result.errors.push(`${file.path}: ${file.error}`);
      continue;
    }
    const report = await applyFile(pool, file.path, await read(file), { owners, kept });
    for (const { status, reason } of report.documents)
      if (status === "refused") result.errors.push(`${file.path}: ${reason ? place(reason) : "refused"}`);
      else if (status !== "skipped") result[status]++;
    if (report.documents.some(({ status }) => status === "refused")) spared.push(file.path);
  }
  result.deleted = await prune(pool, kept, spared);
  return result;
}

function applyFile(
  pool: pg.Pool,
  file: string,
  reading: Reading,
  { owners, kept }: { owners: Map<string, string>; kept: string[] },
): Promise<ImportReport> {
  return inTransaction(pool, async (client) => {
    const ids: string[] = [];
    const report = await applyReading(client, reading, {
      file,
      source: "ConfigFile",
      veto(key) {
        if (key.startsWith(`${OWN_NAMESPACE}/`))
          return `the namespace ${OWN_NAMESPACE} belongs to the product itself`;
        const owner = owners.get(key);
        if (owner !== undefined) return `${key} is in ${owner} already: give one of them another name`;
        owners.set(key, file);
        return null;
      },
      kept: (id) => ids.push(id),
    });
    await client.query(
      `insert into internal.config_file_canaries as known (canary_id, file) select unnest($1::uuid[]), $2
       on conflict (canary_id) do update set file = excluded.file, updated_at = now() where known.file <> excluded.file`,
      [ids, file],
    );
    kept.push(...ids);
    return report;
  });
}

/** Deletes what came from a file and is in none; it comes back with its history when its file does. */
async function prune(pool: pg.Pool, kept: readonly string[], spared: readonly string[]): Promise<number> {
  const { rowCount } = await pool.query(
    `with gone as (
       delete from internal.config_file_canaries where not canary_id = any ($1::uuid[]) and not file = any ($2::text[])
       returning canary_id)
     update public.canaries set deleted_at = now() from gone
     where id = canary_id and deleted_at is null and source = 'ConfigFile'`,
    [kept, spared],
  );
  return rowCount ?? 0;
}
