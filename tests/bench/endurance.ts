/**
 * Ten minutes of 500 checks a second, http and tcp mixed, beside three bad neighbours: one check that hangs, one whose
 * script floods its output and one that is answered a gigabyte. How late the others start, and what memory it takes.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { familyOf } from "#tests/support/processes.ts";
import { type Product } from "#tests/support/product.ts";
import { allRan, insertCanary, measure, onEngine } from "./checks.ts";
import { percentile } from "./checks-figures.ts";
import { describeMachine, table } from "./machine.ts";
import type { Options } from "./options.ts";

const SCHEDULE = "@every 10s";
const CANARY_CHECKS = 100;
const NEIGHBOURS = 3;
const MINUTE = 60;
const MB = 1024;

interface Size {
  checks: number;
  seconds: number;
  /** When memory is read first, s after the beginning; the second time is the end. */
  firstRead: number;
}

/** The section of docs/benchmarks.md; `--quick`: 1,000 checks for half a minute. */
export async function benchEndurance({ quick }: Options): Promise<string> {
  const size: Size = quick
    ? { checks: 1000, seconds: 30, firstRead: 10 }
    : { checks: 5000, seconds: 10 * MINUTE, firstRead: 3 * MINUTE };
  return onEngine(async ({ db, product, port }) =>
    report(db, product, await insertChecks(db, size.checks, port), size),
  );
}

/** Half of the checks http, half tcp, and the neighbours; returns the ids of the former when each has run. */
async function insertChecks(db: pg.Client, checks: number, port: number): Promise<string[]> {
  const url = `http://127.0.0.1:${port}`;
  for (let from = 0; from < checks; from += CANARY_CHECKS) {
    const half = CANARY_CHECKS / 2;
    await insertCanary(db, `bench ${from}`, {
      schedule: SCHEDULE,
      http: Array.from({ length: half }, (_, n) => ({ name: `page ${from + n}`, url: `${url}/${from + n}` })),
      tcp: Array.from({ length: half }, (_, n) => ({
        name: `port ${from + n}`,
        endpoint: `127.0.0.1:${port}`,
      })),
    });
  }
  const mine = (await allRan(db, checks)).map(({ id }) => id);
  await insertCanary(db, "neighbours", {
    schedule: SCHEDULE,
    http: [
      { name: "hangs", url: `${url}/hang` },
      { name: "a gigabyte", url: `${url}/gigabyte` },
    ],
    exec: [{ name: "floods", script: "yes 'one line of very many'" }],
  });
  return mine;
}

async function report(db: pg.Client, product: Product, ids: string[], { checks, seconds, firstRead }: Size) {
  const readings = Promise.all(
    [firstRead, seconds].map(async (at) => {
      await sleep(at * 1000);
      return residentMb(product.pid);
    }),
  );
  const { figures, late, cpu } = await measure(db, product, {
    ids,
    schedule: SCHEDULE,
    seconds,
    lookMs: Math.min(30_000, seconds * 500),
  });
  const [first = 0, last = 0] = await readings;
  const { expected, rows, missed, twice, failed, lag } = figures;
  const ms = (list: number[], fraction: number) => percentile(list, fraction).toFixed(0);
  return [
    table([
      ["what", "measured", "limit"],
      ["runs a second", (rows / seconds).toFixed(0), (checks / 10).toFixed(0)],
      ["instants / status rows", `${expected} / ${rows}`, "equal"],
      ["instants without a row, with two; failed runs", `${missed}, ${twice}; ${failed}`, "0, 0; 0"],
      [
        "start after the instant, p50 / p99 / max, ms",
        `${ms(lag.all, 0.5)} / ${ms(lag.all, 0.99)} / ${ms(lag.all, 1)}`,
        "p99 250",
      ],
      ["p99 in the first / last 10 s, ms", `${ms(lag.first, 0.99)} / ${ms(lag.last, 0.99)}`, "the same"],
      ["rows not to be seen 1 s after their run", late, "0"],
      [
        `control plane's RSS after ${firstRead} s / ${seconds} s, MB`,
        `${first.toFixed(0)} / ${last.toFixed(0)} (${(last / first).toFixed(2)})`,
        "1.10",
      ],
      ["runs of the neighbours, and what they say", await neighbours(db), ""],
      [
        "processor time: control plane / PostgreSQL / others, s/s",
        cpu.map((one) => one.toFixed(2)).join(" / "),
        "",
      ],
    ]),
    "",
    `${checks} checks \`${SCHEDULE}\`, half http, half tcp, for ${seconds} s, beside ${NEIGHBOURS} bad neighbours. ` +
      `${describeMachine()}.`,
  ].join("\n");
}

/** The resident memory of the control plane's process. */
async function residentMb(product: number): Promise<number> {
  const plane = familyOf(product).find(({ command }) => command.includes("control-plane.js"));
  const status = await readFile(`/proc/${plane?.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / MB;
}

async function neighbours(db: pg.Client): Promise<string> {
  const { rows } = await db.query<{ name: string; runs: number; said: string | null }>(
    `select checks.name, count(*)::integer as runs, max(coalesce(error, 'passed')) as said
     from public.checks join public.check_statuses on check_id = checks.id
     join public.canaries on canaries.id = canary_id
     where canaries.name = 'neighbours' and canaries.source = 'bench' group by checks.name order by checks.name`,
  );
  return rows.map(({ name, runs, said }) => `${name}: ${runs}, ${said?.slice(0, 60)}`).join("; ");
}
