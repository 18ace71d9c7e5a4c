/** `npm run demo -- --remove`: the demo goes, also while the product runs. (`npm run demo` is a start with PILOTHOUSE_DEMO=1.) */
import { readConfig } from "./config.ts";
import { createPool } from "./db/pool.ts";
import { StartError } from "./db/start-error.ts";
import { removeDemo } from "./demo/marks.ts";
import { openDatabase, runCommand } from "./open-database.ts";

runCommand(async () => {
  const config = readConfig();
  if (config.upstreamUrl)
    throw new StartError("UPSTREAM_URL is set: the data is the upstream's, remove the demo there.");
  const database = await openDatabase(config, { migrate: true });
  const pool = createPool({ url: database.url, max: 1, name: "demo", observe: () => undefined });
  try {
    const { canaries, people } = await removeDemo(pool);
    process.stdout.write(
      `The demo is gone: ${canaries} canaries with their checks and history, ${people} people.\n`,
    );
  } finally {
    await pool.end();
    await database.stop();
  }
});
