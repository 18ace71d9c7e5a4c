/** `npm run export [-- FILE]`: all canaries as the YAML that imports to the same, into a file or to the terminal. */
import { writeFile } from "node:fs/promises";
import { canariesYaml, type CanaryFile } from "#app/contract/specs/manifest.ts";
import { NO_AGENT } from "#app/contract/words/resources.ts";
import { readConfig } from "./config.ts";
import { createPool } from "./db/pool.ts";
import { StartError } from "./db/start-error.ts";
import { openDatabase, runCommand } from "./open-database.ts";

const observe = () => undefined;
/** Belongs to the product, which makes them itself. */
const OWN_NAMESPACE = "pilothouse";

runCommand(async () => {
  const file = process.argv.slice(3).find((word) => !word.startsWith("--"));
  const config = readConfig();
  if (config.upstreamUrl)
    throw new StartError("UPSTREAM_URL is set: the data is the upstream's, export there.");
  const database = await openDatabase(config, { migrate: true });
  const pool = createPool({ url: database.url, max: 1, name: "export", observe });
  try {
    const { rows } = await pool.query<CanaryFile>(
      `select name, namespace, labels, annotations, spec from public.canaries
       where deleted_at is null and agent_id = $1 and not (namespace = $2 and source = 'ConfigFile')
       order by namespace, name`,
      [NO_AGENT, OWN_NAMESPACE],
    );
    const text = canariesYaml(rows);
    if (!file) return void process.stdout.write(text);
    await writeFile(file, text, { mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
      throw new StartError(`${file} cannot be written (${error.code}).`);
    });
    process.stderr.write(`${rows.length} canaries are in ${file}. Secrets typed into them are in it too.\n`);
  } finally {
    await pool.end();
    await database.stop();
  }
});
