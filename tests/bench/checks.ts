/** How many checks a second the product runs: each instant once, how late they start, how soon their rows are there. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { ownerUrl } from "#server/db/cluster.ts";
import { familyOf } from "#tests/support/processes.ts";
import { ADMIN, signIn, startProduct, type Product } from "#tests/support/product.ts";
import { checkFigures, percentile, type CheckFigures, type Ran } from "./checks-figures.ts";
import type { FromTarget } from "./checks-target.ts";
import { describeMachine, table } from "./machine.ts";

const SCHEDULE = "@every 10s";
const CANARY_CHECKS = 100;
const SETTLE_MS = 15_000;
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** The section of docs/benchmarks.md: 5,000 checks every 10 s for a minute, or 1,000 for 15 s. */
export async function benchChecks({ quick }: { quick: boolean }): Promise<string> {
  const { checks, seconds } = quick ? { checks: 1000, seconds: 15 } : { checks: 5000, seconds: 60 };
  const { figures, late, cpu, flipMs } = await measureChecks(checks, seconds);
  const { expected, rows, missed, twice, failed, lag, stored, took } = figures;
  const ms = (list: number[], fraction: number) => percentile(list, fraction).toFixed(0);
  return [
    table([
      ["what", "measured", "limit"],
      ["runs a second", (rows / seconds).toFixed(0), ""],
      ["instants / status rows", `${expected} / ${rows}`, "equal"],
      ["instants without a row, with two; failed runs", `${missed}, ${twice}; ${failed}`, "0, 0; 0"],
      ["a run, p50 / p99 / max, ms", `${ms(took, 0.5)} / ${ms(took, 0.99)} / ${ms(took, 1)}`, ""],
      [
        "start after the instant, p50 / p99 / max, ms",
        `${ms(lag.all, 0.5)} / ${ms(lag.all, 0.99)} / ${ms(lag.all, 1)}`,
        "p99 500",
      ],
      ["p99 in the first / last 10 s, ms", `${ms(lag.first, 0.99)} / ${ms(lag.last, 0.99)}`, "the same"],
      [
        "end of the run → transaction of its row, p50 / p99 / max, ms",
        `${ms(stored, 0.5)} / ${ms(stored, 0.99)} / ${ms(stored, 1)}`,
        "",
      ],
      ["rows not to be seen 1 s after their run", late, "0"],
      ["broken page served → unhealthy on `/health`, ms", flipMs.toFixed(0), "2000"],
      [
        "processor time: control plane / PostgreSQL / others, s/s",
        cpu.map((one) => one.toFixed(2)).join(" / "),
        "",
      ],
    ]),
    "",
    `${checks} http checks \`${SCHEDULE}\` for ${seconds} s, target in a process of its own. ${describeMachine()}.`,
  ].join("\n");
}

interface Measured {
  figures: CheckFigures;
  late: number;
  cpu: number[];
  flipMs: number;
}

async function measureChecks(checks: number, seconds: number): Promise<Measured> {
  return onEngine(async ({ db, product, target, port }) => {
    const ids = await insertChecks(db, checks, port);
    await sleep(SETTLE_MS);
    const measured = await measure(db, product, { ids, schedule: SCHEDULE, seconds, lookMs: 3000 });
    return { ...measured, flipMs: await measureFlip(product, target) };
  });
}

/** The product on a database of its own, and what its checks ask. */
export interface Engine {
  db: pg.Client;
  product: Product;
  target: ChildProcess;
  /** Where the target listens. */
  port: number;
}

/** Starts the product and a target for its checks, and ends both after the work. */
export async function onEngine<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), "pilothouse-bench-engine-"));
  await chmod(dataDir, 0o755);
  const target = fork(fileURLToPath(new URL("checks-target.ts", import.meta.url)), {
    execArgv: ["--import", "tsx"],
  });
  let product: Product | undefined;
  let db: pg.Client | undefined;
  try {
    const { port } = await answer(target, "port");
    product = await startProduct({ dataDir });
    db = new pg.Client(await addressOf(dataDir));
    await db.connect();
    return await work({ db, product, target, port });
  } finally {
    await db?.end();
    await product?.stop();
    target.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The bundled database, as its owner. */
export async function addressOf(dataDir: string): Promise<string> {
  const { database } = JSON.parse(await readFile(join(dataDir, "keys.json"), "utf8")) as { database: string };
  return ownerUrl(database, Number(await readFile(join(dataDir, "database-port"), "utf8")));
}

/** Canaries of a hundred checks, one to be flipped; resolves when every check has run. Returns the ids of the hundreds. */
async function insertChecks(db: pg.Client, checks: number, port: number): Promise<string[]> {
  const url = `http://127.0.0.1:${port}`;
  for (let from = 0; from < checks; from += CANARY_CHECKS) {
    const http = Array.from({ length: Math.min(CANARY_CHECKS, checks - from) }, (_, n) => ({
      name: `check ${from + n}`,
      url: `${url}/${from + n}`,
    }));
    await insertCanary(db, `bench ${from}`, { schedule: SCHEDULE, http });
  }
  await insertCanary(db, "flip", { schedule: "@every 1s", http: [{ name: "flip", url: `${url}/flip` }] });
  return (await allRan(db, checks + 1)).filter(({ name }) => name !== "flip").map(({ id }) => id);
}

/** Waits until as many checks of the bench are there and each has run; a minute at most. */
export async function allRan(db: pg.Client, checks: number): Promise<{ id: string; name: string }[]> {
  for (let waited = 0; ; waited++) {
    const { rows } = await db.query<{ id: string; name: string; has_run: boolean }>(
      `select checks.id, checks.name, last_runtime is not null as has_run from public.checks
       join public.canaries on canaries.id = canary_id where canaries.source = 'bench'`,
    );
    if (rows.length === checks && rows.every(({ has_run }) => has_run)) return rows;
    if (waited > 120) throw new Error(`only ${rows.filter((row) => row.has_run).length} checks have run`);
    await sleep(500);
  }
}

export const insertCanary = (db: pg.Client, name: string, spec: object) =>
  db.query(
    "insert into public.canaries (name, namespace, spec, source) values ($1, 'default', $2, 'bench')",
    [name, JSON.stringify(spec)],
  );

interface While {
  /** The checks that are judged. */
  ids: string[];
  schedule: string;
  seconds: number;
  /** How often the rows that must be there by now are counted. */
  lookMs: number;
}

/** Watches the engine for a while; nothing of what it asks of the database grows with the rows of other checks. */
export async function measure(db: pg.Client, product: Product, { ids, schedule, seconds, lookMs }: While) {
  const from = Date.now() + 500;
  const to = from + seconds * 1000;
  await sleep(500);
  const before = processorTime(product.pid);
  const looks: { at: Date; seen: number }[] = [];
  for (let look = from + lookMs; look <= to + lookMs; look += lookMs) {
    await sleep(look - Date.now());
    const { rows } = await db.query<{ at: Date; seen: number }>(
      `select statement_timestamp() as at, count(*)::integer as seen from public.check_statuses
       where time >= $1 and time + make_interval(secs => duration / 1000.0) <= statement_timestamp() - interval '1 s'`,
      [new Date(from)],
    );
    looks.push(rows[0]!);
  }
  const after = processorTime(product.pid);
  const { rows } = await db.query<Omit<Ran, "time" | "created"> & { time: Date; created: Date }>(
    `select check_id as check, time, duration, created_at as created, status as passed from public.check_statuses where time >= $1`,
    [new Date(from)],
  );
  const ran: Ran[] = rows.map((row) => ({
    ...row,
    time: row.time.getTime(),
    created: row.created.getTime(),
  }));
  const known = new Set(ids);
  const late = looks.map(
    ({ at, seen }) =>
      ran.filter(({ time, duration }) => time + duration <= at.getTime() - 1001).length - seen,
  );
  return {
    figures: checkFigures(
      { checks: ids, schedule, from, to },
      ran.filter(({ check }) => known.has(check)),
    ),
    late: Math.max(0, ...late),
    cpu: after.map((one, n) => (one - before[n]!) / (seconds + lookMs / 1000)),
  };
}

/** Seconds of processor time so far: control plane, PostgreSQL, the others of the product. */
function processorTime(pid: number): number[] {
  const sums = [0, 0, 0];
  for (const one of familyOf(pid)) {
    const place = one.command.includes("control-plane.js")
      ? 0
      : one.command.startsWith("postgres") || one.command.includes("/postgres")
        ? 1
        : 2;
    try {
      const stat = readFileSync(`/proc/${one.pid}/stat`, "utf8");
      const facts = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      sums[place]! += (Number(facts[11]) + Number(facts[12])) / 100;
    } catch {
      continue; // it ended while we looked
    }
  }
  return sums;
}

/** From the broken page's first visit until `/health` draws the check as unhealthy, in milliseconds. */
async function measureFlip(product: Product, target: ReturnType<typeof fork>): Promise<number> {
  const cookie = await signIn(product.url, ADMIN);
  const failing = `${product.url}/health?query=flip&status=unhealthy&groupBy=no-group`;
  const seen = answer(target, "brokenSeenAt");
  target.send("break");
  const { brokenSeenAt } = await seen;
  for (;;) {
    const response = await fetch(failing, { headers: { cookie } });
    if (/title="flip, http/.test(await response.text())) return Date.now() - brokenSeenAt;
    if (Date.now() - brokenSeenAt > 30_000) throw new Error("the flip was never to be seen");
  }
}

/** The target's next message that has this key. */
export async function answer<K extends "port" | "brokenSeenAt">(target: ReturnType<typeof fork>, key: K) {
  for (;;) {
    const [message] = (await once(target, "message")) as [FromTarget];
    if (key in message) return message as Extract<FromTarget, Record<K, number>>;
  }
}
