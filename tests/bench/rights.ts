/**
 * What row policies cost while no permission record applies: the same lists of the same product, in turn with the
 * policies on and switched off, as a viewer. Then once more with records that hide one canary in fifty.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { migrate, readMigrations } from "#server/db/migrate.ts";
import { startEmbedded } from "#server/db/postgres.ts";
import { createPeople, PEOPLE } from "#tests/support/people.ts";
import { onDatabase, signIn, startProduct } from "#tests/support/product.ts";
import { describeMachine, table } from "./machine.ts";
import type { Options } from "./options.ts";
import { seed, type Size } from "./pages-data.ts";

const SIZE: Size = { checks: 5_000, statuses: 1_000_000, rate: 100 };
const ROUNDS = 5;
const READS = 12;
/** After policies were switched every connection plans anew, and a function of PL/pgSQL five times over. */
const WARM = 20;
const MIGRATIONS = fileURLToPath(new URL("../../server/db/migrations", import.meta.url));

interface Read {
  name: string;
  path: string;
  body?: unknown;
}
const READS_OF: Read[] = [
  {
    name: "GET /db/checks, a page",
    path: "/api/db/checks?select=id,name,status,canary_id&order=name&limit=50",
  },
  { name: "GET /db/checks, 2,000 rows", path: "/api/db/checks?select=id,name,status&order=name" },
  {
    name: "GET /db/canaries with checks",
    path: "/api/db/canaries?select=id,name,checks!checks_canary_id_fkey(id,name)&order=name&limit=50",
  },
  { name: "GET /db/canaries_with_status", path: "/api/db/canaries_with_status?order=name&limit=100" },
  { name: "GET /canary/api/summary", path: "/api/canary/api/summary" },
  {
    name: "POST /canary/api/summary, a page",
    path: "/api/canary/api/summary",
    body: { page: { groupBy: "canary_name" } },
  },
  { name: "/health", path: "/health?hidePassing=false&groupBy=canary_name&pageSize=50" },
];

/** The section's Markdown. */
export async function benchRights({ quick }: Options): Promise<string> {
  const size = quick ? { ...SIZE, checks: 1_000, statuses: 50_000 } : SIZE;
  const [rounds, reads] = quick ? [4, 5] : [ROUNDS, READS];
  const cleanUps: (() => Promise<unknown>)[] = [];
  try {
    const { owner, url, cookie } = await start(size, cleanUps);
    const off = new Map<string, number[]>();
    const on = new Map<string, number[]>();
    for (const read of READS_OF) await time(url, cookie, read, 2 * reads);
    for (let round = 0; round < rounds; round++)
      for (const state of round % 2 === 0 ? [off, on] : [on, off]) {
        await setPolicies(owner, state === on);
        for (const read of READS_OF) {
          await time(url, cookie, read, WARM);
          keep(state, read.name, await time(url, cookie, read, reads));
        }
      }
    await hideSome(owner, size);
    const hidden = new Map<string, number[]>();
    for (let round = 0; round < Math.ceil(rounds / 2); round++)
      for (const read of READS_OF) {
        await time(url, cookie, read, 4);
        keep(hidden, read.name, await time(url, cookie, read, reads));
      }
    return report(size, { off, on, hidden });
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

async function start(size: Size, cleanUps: (() => Promise<unknown>)[]) {
  const dataDir = await mkdtemp(join(tmpdir(), "pilothouse-bench-"));
  await chmod(dataDir, 0o755);
  cleanUps.push(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startEmbedded({ dataDir, password: "only-for-this-run", observe: () => undefined });
  cleanUps.push(() => server.stop());
  const owner = new pg.Pool({ connectionString: server.url, max: 1 });
  cleanUps.push(() => owner.end());
  const client = await owner.connect();
  await migrate(client, await readMigrations(MIGRATIONS), () => undefined);
  await seed(client, size, "http://127.0.0.1:1");
  // Nothing runs meanwhile: the lists are compared, not the engine.
  await client.query("update internal.check_state set next_runtime = now() + interval '1 year'");
  await client.query("vacuum analyze");
  client.release();
  await createPeople(owner);
  const product = await startProduct({ dataDir: join(dataDir, "product"), env: onDatabase(server.url) });
  cleanUps.push(() => product.stop());
  return { owner, url: product.url, cookie: await signIn(product.url, PEOPLE.viewer) };
}

/** Every table that has policies. */
async function setPolicies(owner: pg.Pool, on: boolean): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    "select distinct polrelid::regclass::text as name from pg_policy order by 1",
  );
  for (const { name } of rows)
    await owner.query(`alter table ${name} ${on ? "enable" : "disable"} row level security`);
}

async function hideSome(owner: pg.Pool, { checks }: Size): Promise<void> {
  await setPolicies(owner, true);
  await owner.query(
    `insert into permissions (canary_id, person_id, action, deny, created_by)
     select canaries.id, people.id, 'read', true, people.id from people, canaries
     where people.email = $1 and canaries.name like 'service-%0'
     order by canaries.name limit $2`,
    [PEOPLE.viewer.email, Math.round(checks / 5 / 50)],
  );
}

/** Milliseconds of each of so many reads. Throws when one is refused. */
async function time(url: string, cookie: string, { path, body }: Read, times: number): Promise<number[]> {
  const all: number[] = [];
  for (let n = 0; n < times; n++) {
    const from = performance.now();
    const response = await fetch(url + path, {
      headers: { cookie, ...(body ? { "content-type": "application/json", origin: url } : {}) },
      ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    all.push(performance.now() - from);
  }
  return all;
}

const keep = (into: Map<string, number[]>, name: string, values: number[]) =>
  into.set(name, [...(into.get(name) ?? []), ...values]);

function median(values: readonly number[] = []): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function report(
  size: Size,
  { off, on, hidden }: Record<"off" | "on" | "hidden", Map<string, number[]>>,
): string {
  const rows = READS_OF.map(({ name }) => {
    const [before, after, some] = [off, on, hidden].map((state) => median(state.get(name)));
    return [name, before!.toFixed(1), after!.toFixed(1), (after! / before!).toFixed(2), some!.toFixed(1)];
  });
  return [
    `${size.checks.toLocaleString("en")} checks, ${size.statuses.toLocaleString("en")} results, as a viewer without permission ` +
      `records, policies off and on in turn; medians in milliseconds of one reader; target 1.1. The last column has ` +
      `${Math.round(size.checks / 5 / 50)} records that hide a canary each.`,
    "",
    table([["list", "policies off", "on", "ratio", "with records"], ...rows]),
    "",
    `${describeMachine()}.`,
  ].join("\n");
}
