/** How many heartbeats a second the product takes, each answered one a committed row: direct, of one check, by the web. */
import { createHash, randomBytes } from "node:crypto";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { ownerUrl } from "#server/db/cluster.ts";
import { SECRET, startProduct, type Product } from "#tests/support/product.ts";
import { ask, ended, forkTypeScript } from "./children.ts";
import type { PingOrder, PingOutcome } from "./heartbeats-client.ts";
import { describeMachine, table } from "./machine.ts";
import type { Options } from "./options.ts";

const CHECKS = 1000;
const RATE = 1000;
const SECONDS = 60;
/** What the web is asked for, pings a second: each is a whole request of its own there, too. */
const WEB_RATE = 200;
const CONNECTIONS = 200;

interface Round {
  name: string;
  limit: string;
  outcome: PingOutcome;
  /** Rows of the round's checks since it began. */
  rows: number;
  /** Checks whose rows are not as many as its pings that were answered 200. */
  wrong: number;
}

/** 1,000 pings/s of 1,000 checks for a minute at the control plane, then of one check, then through the web. */
export async function benchHeartbeats({ quick }: Options): Promise<string> {
  const seconds = quick ? 10 : SECONDS;
  const dataDir = await mkdtemp(join(tmpdir(), "pilothouse-bench-heartbeats-"));
  await chmod(dataDir, 0o755);
  let plane: Product | undefined;
  let web: Product | undefined;
  let db: pg.Client | undefined;
  try {
    plane = await startProduct({ dataDir, env: { PILOTHOUSE_ROLE: "control-plane" } });
    const { database } = JSON.parse(await readFile(join(dataDir, "keys.json"), "utf8")) as {
      database: string;
    };
    db = new pg.Client(ownerUrl(database, Number(await readFile(join(dataDir, "database-port"), "utf8"))));
    await db.connect();
    const tokens = await insertHeartbeats(db, CHECKS);
    const direct = { url: plane.url, rate: RATE, connections: CONNECTIONS };
    const rounds = [
      await round(db, "at the control plane", "p99 250", { ...direct, tokens, seconds }),
      await round(db, "the same, all of one check", "", {
        ...direct,
        tokens: tokens.slice(0, 1),
        seconds: seconds / 3,
      }),
    ];
    web = await startProduct({
      env: {
        UPSTREAM_URL: plane.url,
        SESSION_SECRET: SECRET,
        PILOTHOUSE_ADMIN_EMAIL: undefined,
        PILOTHOUSE_ADMIN_PASSWORD: undefined,
      },
    });
    const order = { url: `${web.url}/api`, rate: WEB_RATE, connections: CONNECTIONS, tokens };
    await round(db, "warm", "", { ...order, seconds: 3 });
    rounds.push(await round(db, "through the web", "", { ...order, seconds: seconds / 3 }));
    return report(rounds);
  } finally {
    await db?.end();
    await web?.stop();
    await plane?.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** One canary of heartbeats; resolves with the tokens, of which the database has the hashes. */
async function insertHeartbeats(db: pg.Client, count: number): Promise<string[]> {
  const heartbeat = Array.from({ length: count }, (_, n) => ({
    name: `job ${n}`,
    period: "1h",
    grace: "5m",
  }));
  await db.query(
    "insert into public.canaries (name, namespace, spec, source) values ('bench', 'default', $1, 'bench')",
    [JSON.stringify({ heartbeat })],
  );
  for (let waited = 0; waited < 60; waited++) {
    const { rows } = await db.query<{ id: string }>("select id from public.checks where type = 'heartbeat'");
    if (rows.length < count) {
      await sleep(500);
      continue;
    }
    const tokens = rows.map(() => randomBytes(16).toString("base64url"));
    await db.query(
      "insert into internal.heartbeats (check_id, token) select * from unnest($1::uuid[], $2::bytea[])",
      [rows.map(({ id }) => id), tokens.map(hash)],
    );
    return tokens;
  }
  throw new Error("the heartbeats were not made within 30 s");
}

const hash = (token: string) => createHash("sha256").update(token).digest();

async function round(db: pg.Client, name: string, limit: string, order: PingOrder): Promise<Round> {
  const { rows: before } = await db.query<{ at: Date }>("select clock_timestamp() as at");
  const client = forkTypeScript("heartbeats-client.ts");
  const outcome = await ask<PingOutcome>(client, order).finally(() => ended(client));
  const { rows } = await db.query<{ token: Buffer; n: number }>(
    `select beat.token, count(*)::integer as n from public.check_statuses
     join internal.heartbeats as beat using (check_id) where check_statuses.created_at >= $1 group by beat.token`,
    [before[0]!.at],
  );
  const counted = new Map(rows.map((row) => [row.token.toString("hex"), row.n]));
  const wrong = order.tokens.filter(
    (token) => (counted.get(hash(token).toString("hex")) ?? 0) !== (outcome.stored[token] ?? 0),
  ).length;
  return { name, limit, outcome, rows: rows.reduce((sum, { n }) => sum + n, 0), wrong };
}

function report(rounds: Round[]): string {
  const ms = (value: number) => value.toFixed(0);
  return [
    table([
      [
        "pings",
        "a second",
        "sent / answered 200 / rows",
        "checks with another count",
        "p50 / p95 / p99 / max, ms",
        "limit",
      ],
      ...rounds.map(({ name, limit, outcome, rows, wrong }) => {
        const stored = Object.values(outcome.stored).reduce((sum, n) => sum + n, 0);
        const { sent, p50, p95, p99, max, seconds } = outcome;
        return [
          name,
          (sent / seconds).toFixed(0),
          `${sent} / ${stored} / ${rows}`,
          wrong,
          [p50, p95, p99, max].map(ms).join(" / "),
          limit,
        ];
      }),
    ]),
    "",
    `${CHECKS} heartbeats, ${SECONDS} s (the others a third of it), open loop, every fourth ping with a body. ${describeMachine()}.`,
    ...rounds.flatMap(({ name, outcome }) =>
      Object.keys(outcome.errors).length > 0 ? [`Errors ${name}: ${JSON.stringify(outcome.errors)}.`] : [],
    ),
  ].join("\n");
}
