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
/** Each list is read in short turns, off and on: the machine's speed drifts within a minute by more than policies cost. */
const TURNS_MS = 30_000;
const LEAST_ROUNDS = 6;
const READS = 12;
/** After policies were switched every connection plans anew, and a function of PL/pgSQL five times over. */
const WARM = 12;
const MIGRATIONS = fileURLToPath(new URL("../../server/db/migrations", import.meta.url));

interface Read {
  name: string;
  path: string;
  body?: unknown;
}
/** Milliseconds of each read, without policies, with them, and with records; and how the first two compare. */
interface Figures {
  read: Read;
  off: number[];
  on: number[];
  ratios: number[];
  hidden: number[];
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
  const reads = quick ? 5 : READS;
  const cleanUps: (() => Promise<unknown>)[] = [];
  try {
    const { owner, url, cookie } = await start(size, cleanUps);
    const all: Figures[] = [];
    for (const read of READS_OF) {
      await time(url, cookie, read, 2 * reads);
      all.push({ read, ...(await inTurn(owner, (times) => time(url, cookie, read, times), quick)) });
    }
    await hideSome(owner, size);
    for (const figures of all) {
      await time(url, cookie, figures.read, WARM);
      figures.hidden = await time(url, cookie, figures.read, 4 * reads);
    }
    return report(size, all);
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
  // Nothing runs meanwhile: the lists are compared, not the engine, which holds each check to its schedule.
  await client.query(`update public.canaries set spec = jsonb_set(spec, '{schedule}', '"@every 8760h"')`);
  await client.query("delete from internal.canaries_to_sync");
  await client.query("update internal.check_state set next_runtime = now() + interval '300 days'");
  await client.query("vacuum analyze");
  client.release();
  await createPeople(owner);
  const product = await startProduct({ dataDir: join(dataDir, "product"), env: onDatabase(server.url) });
  cleanUps.push(() => product.stop());
  return { owner, url: product.url, cookie: await signIn(product.url, PEOPLE.viewer) };
}

/** Reads off and on in turn; the ratio is the median of those of turns beside each other. */
async function inTurn(owner: pg.Pool, read: (times: number) => Promise<number[]>, quick: boolean) {
  const [off, on, ratios]: number[][] = [[], [], []];
  const until = performance.now() + (quick ? TURNS_MS / 10 : TURNS_MS);
  for (let round = 0; round < (quick ? 2 : LEAST_ROUNDS) || performance.now() < until; round++) {
    const turn = new Map<boolean, number[]>();
    for (const state of round % 2 === 0 ? [false, true] : [true, false]) {
      await setPolicies(owner, state);
      await read(WARM);
      turn.set(state, await read(quick ? 5 : READS));
    }
    off!.push(...turn.get(false)!);
    on!.push(...turn.get(true)!);
    ratios!.push(median(turn.get(true)) / median(turn.get(false)));
  }
  return { off: off!, on: on!, ratios: ratios!, hidden: [] as number[] };
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

function median(values: readonly number[] = []): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function report(size: Size, all: readonly Figures[]): string {
  const rows = all.map(({ read, off, on, ratios, hidden }) => [
    read.name,
    ...[off, on].map((values) => median(values).toFixed(1)),
    median(ratios).toFixed(2),
    String(ratios.length),
    median(hidden).toFixed(1),
  ]);
  return [
    `${size.checks.toLocaleString("en")} checks, ${size.statuses.toLocaleString("en")} results, as a viewer without permission ` +
      `records, policies off and on in short turns; medians in milliseconds of one reader, and of the ratios of turns beside ` +
      `each other; target 1.1. The last column has ${Math.round(size.checks / 5 / 50)} records that hide a canary each.`,
    "",
    table([["list", "policies off", "on", "ratio", "turns", "with records"], ...rows]),
    "",
    `${describeMachine()}.`,
  ].join("\n");
}
