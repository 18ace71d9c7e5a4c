import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbedded } from "#server/db/postgres.ts";
import { createPeople } from "#tests/support/people.ts";
import { onDatabase, startProduct } from "#tests/support/product.ts";
import { createEstate } from "./estate.ts";

/** The product on a database of its own, with one person of each role and an estate with something broken in it. */
export default async function setup() {
  const data = await mkdtemp(join(tmpdir(), "pilothouse-journeys-"));
  await chmod(data, 0o755);
  const server = await startEmbedded({
    dataDir: data,
    password: "only-for-this-run",
    observe: () => undefined,
    settings: ["fsync=off", "synchronous_commit=off"],
  });
  const product = await startProduct({ env: { ...onDatabase(server.url), PILOTHOUSE_UI: "1" } });
  const pool = new pg.Pool({ connectionString: server.url, max: 2 });
  pool.on("error", () => undefined);
  await createPeople(pool);
  await createEstate(pool, { url: product.url, database: new URL(server.url) });
  process.env["PRODUCT_URL"] = product.url;
  process.env["PRODUCT_DATABASE"] = server.url;
  return async () => {
    await pool.end();
    await product.stop();
    await server.stop();
    await rm(data, { recursive: true, force: true });
  };
}
