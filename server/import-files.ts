/** `npm run import -- FILE… [--dry]`: canaries, Gatus configuration, Uptime Kuma backups; also while the product runs. */
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { IMPORT_LIMIT, type ImportReport } from "#app/contract/rows/import-report.ts";
import { readConfig } from "./config.ts";
import { createPool, inTransaction } from "./db/pool.ts";
import { StartError } from "./db/start-error.ts";
import { applyReading } from "./import/apply.ts";
import { readImport } from "./import/read.ts";
import { reportLines } from "./import/words.ts";
import { openDatabase, runCommand } from "./open-database.ts";

const observe = () => undefined;

runCommand(async () => {
  const words = process.argv.slice(3);
  const unknown = words.find((word) => word.startsWith("--") && word !== "--dry");
  const named = words.filter((word) => !word.startsWith("--"));
  if (unknown || named.length === 0)
    throw new StartError("Name the files: npm run import -- FILE… (--dry says what would happen)");
  const config = readConfig();
  if (config.upstreamUrl)
    throw new StartError("UPSTREAM_URL is set: the data is the upstream's, import there.");
  const files = (await Promise.all(named.map(filesOf))).flat();
  const texts = await Promise.all(files.map(async (file) => ({ file, text: await textOf(file) })));
  const database = await openDatabase(config, { migrate: true });
  const pool = createPool({ url: database.url, max: 1, name: "import", observe });
  const reports: ImportReport[] = [];
  try {
    for (const { file, text } of texts) {
      const needs = { file: basename(file), source: "UI", dry: words.includes("--dry") } as const;
      const report = await inTransaction(pool, (client) => applyReading(client, readImport(text), needs));
      process.stdout.write(`${reportLines(report).join("\n")}\n`);
      reports.push(report);
    }
  } finally {
    await pool.end();
    await database.stop();
  }
  const refused = reports.flatMap(({ documents }) => documents).filter(({ status }) => status === "refused");
  if (refused.length > 0)
    throw new StartError(
      refused.length === 1 ? "One document was refused." : `${refused.length} documents were refused.`,
    );
});

/** A folder stands for its YAML and JSON files. */
async function filesOf(name: string): Promise<string[]> {
  const found = await stat(name).catch(() => null);
  if (!found) throw new StartError(`${name} is not there, or cannot be read.`);
  if (!found.isDirectory()) return [name];
  const inside = (await readdir(name)).filter((file) => /\.(ya?ml|json)$/i.test(file)).sort();
  if (inside.length === 0) throw new StartError(`${name} has no YAML or JSON file in it.`);
  return inside.map((file) => join(name, file));
}

async function textOf(file: string): Promise<string> {
  const bytes = await readFile(file).catch(() => {
    throw new StartError(`${file} cannot be read.`);
  });
  if (bytes.length > IMPORT_LIMIT)
    throw new StartError(`${file} has more than ${IMPORT_LIMIT / 1e6} MB: import it in parts.`);
  return bytes.toString("utf8");
}
