/** What the audit log costs: writes of many rows through `/db`, with the triggers that write it and without. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { createDb } from "#server/api/db.ts";
import { applyRolesAndGrants } from "#server/db/grants.ts";
import { migrate, readMigrations } from "#server/db/migrate.ts";
import { apiUrl } from "#server/db/pool.ts";
import { startEmbedded } from "#server/db/postgres.ts";
import { describeMachine, table } from "./machine.ts";
import type { Options } from "./options.ts";

const SIZES = [1000, 1];
const ROUNDS = 15;
const PASSWORD = "only-for-this-run";
const ADMIN = "00000000-0000-0000-0000-000000000001";
const TABLES = ["public.canaries", "public.properties"];

/** A plain canary, one with headers (which hold secrets, so that each spec is looked through), and a property. */
const BODIES: Record<string, { path: string; row(n: string): object; change: object }> = {
  canaries: {
    path: "canaries",
    row: (n) => ({ ...canary(n), spec: { schedule: "@every 1m", http: [http(n)] } }),
    change: { labels: { team: "web" } },
  },
  "canaries with secrets": {
    path: "canaries",
    row: (n) => ({
      ...canary(n),
      spec: {
        schedule: "@every 1m",
        http: [{ ...http(n), headers: [{ name: "Authorization", value: "x y" }] }],
      },
    }),
    change: { labels: { team: "web" } },
  },
  properties: {
    path: "properties",
    row: (n) => ({ name: `bench.${n}`, value: n }),
    change: { value: "x" },
  },
};
const canary = (n: string) => ({
  name: `bench ${n}`,
  namespace: "bench",
  labels: { region: "eu-west" },
  source: "UI",
});
const http = (n: string) => ({
  name: `web ${n}`,
  url: `https://shop.example/${n}`,
  responseCodes: [200, 201],
});

/** Medians of inserts and updates of many rows and of one, in turns with and without, on a database of the product's own kind. */
export async function benchAudit({ quick }: Options): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "pilothouse-bench-audit-"));
  await chmod(dataDir, 0o755);
  const server = await startEmbedded({ dataDir, password: PASSWORD, observe: () => undefined });
  const owner = new pg.Client({ connectionString: server.superuserUrl });
  await owner.connect();
  try {
    await migrate(owner, await readMigrations("server/db/migrations"), () => undefined);
    const database = new URL(server.superuserUrl).pathname.slice(1);
    await applyRolesAndGrants(owner, { database, apiPassword: PASSWORD });
    const pool = new pg.Pool({ connectionString: apiUrl(server.superuserUrl, PASSWORD), max: 1 });
    const rest = createDb(database, { pool, settings: {}, observe: () => undefined });
    await rest.reload();
    const principal = {
      dbRole: `${database}_admin`,
      claims: { id: ADMIN, via: "session", client: "10.0.0.1", request: "bench" },
    };
    const send = async (method: string, target: string, body: unknown): Promise<number> => {
      const request = new Request(`http://bench${target}`, {
        method,
        headers: { "content-type": "application/json", prefer: "return=minimal" },
        body: JSON.stringify(body),
      });
      const from = performance.now();
      const answer = await rest.handle(request, { principal, rawTarget: target });
      const took = performance.now() - from;
      if (!answer.ok) throw new Error(`${method} ${target}: ${answer.status} ${await answer.text()}`);
      return took;
    };
    const lines: (string | number)[][] = [];
    const cases = Object.entries(BODIES).flatMap(([name, body]) =>
      SIZES.map((size) => ({ name, size, ...body })),
    );
    for (const { name, size, path, row, change } of cases) {
      const took = {
        insert: { with: [] as number[], without: [] as number[] },
        update: { with: [] as number[], without: [] as number[] },
      };
      for (let round = 0; round < (quick ? 3 : ROUNDS); round++)
        for (const state of round % 2 === 0
          ? (["with", "without"] as const)
          : (["without", "with"] as const)) {
          for (const relation of TABLES)
            for (const trigger of ["audit_added", "audit_changed", "audit_removed"])
              await owner.query(
                `alter table ${relation} ${state === "with" ? "enable" : "disable"} trigger ${trigger}`,
              );
          const key = `${round} ${state}`;
          // The triggers were changed: the connection makes its plans again, which is not what is measured.
          await send("POST", `/${path}`, [row(`${key} plans`)]);
          await send("PATCH", `/${path}?name=like.bench*`, change);
          await owner.query(`delete from public.${path} where name like 'bench%'`);
          const rows = Array.from({ length: size }, (_, n) => row(`${key} ${n}`));
          took.insert[state].push(await send("POST", `/${path}`, rows));
          took.update[state].push(await send("PATCH", `/${path}?name=like.bench*`, change));
          await owner.query(`delete from public.${path} where name like 'bench%'`);
          await owner.query("vacuum analyze");
        }
      for (const action of ["insert", "update"] as const) {
        const [withIt, without] = [median(took[action].with), median(took[action].without)];
        lines.push([
          `${name}, ${size.toLocaleString("en")}, ${action}`,
          without.toFixed(1),
          withIt.toFixed(1),
          (withIt / without).toFixed(2),
        ]);
      }
    }
    await rest.close();
    await pool.end();
    return [
      describeMachine(),
      "",
      table([["rows in one request", "without, ms", "with the audit log, ms", "times"], ...lines]),
    ].join("\n");
  } finally {
    await owner.end();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
