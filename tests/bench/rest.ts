/**
 * Acceptance 3: requests per second of `/db` and of the real PostgREST 12.0.2 in ten shapes. Same database, same pool
 * size, eight keep-alive connections from a process of its own, alternating rounds in one run, real role and claims on
 * all sides, and the answers compared as JSON before anything is measured.
 */
import type { ChildProcess } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import pg from "pg";
import { applyRolesAndGrants, dbRole } from "#server/db/grants.ts";
import { migrate, readMigrations } from "#server/db/migrate.ts";
import { apiUrl } from "#server/db/pool.ts";
import { startEmbedded } from "#server/db/postgres.ts";
import { digest, newToken } from "#server/identity/tokens.ts";
import { createSessionStore } from "#server/identity/store/sessions.ts";
import { sign, SECRET } from "#tests/contract/rest/harness.ts";
import { startPostgrest, type PostgrestOptions } from "#tests/support/postgrest.ts";
import { ask, ended, forkTypeScript } from "./children.ts";
import type { Order, Outcome } from "./load.ts";
import { describeMachine, table } from "./machine.ts";
import { has, type Options } from "./options.ts";
import { CANARIES, CHECKS, loadVolume, PERSON, SHAPES, STATUSES, type Shape } from "./rest-data.ts";
import type { BareTask } from "./rest-bare.ts";
import type { Task } from "./rest-server.ts";

const POOL = 10;
const CONNECTIONS = 8;
const PASSWORD = "only-for-this-run";
const KEY = "a key only for this run, 32 chars";
const MIGRATIONS = fileURLToPath(new URL("../../server/db/migrations", import.meta.url));

/** One side of the comparison. */
interface Side {
  name: string;
  port: number;
  /** Before the path of a target. */
  prefix: string;
  token: string;
  /** It has no dialect: its rows are compared, its headers are not. */
  isBare?: true;
}

/** `layer` also measures the layer without the control plane around it, which says where time goes. */
export async function benchRest(given: Options): Promise<string> {
  const layer = has(given, "--layer");
  const [seconds, rounds] = given.quick ? [1, 2] : [10, 5];
  const cleanUps: (() => Promise<unknown>)[] = [];
  try {
    const { sides, version } = await startSides(cleanUps, layer);
    const [yardstick, ...ours] = sides;
    if (!yardstick) throw new Error("no side to measure");
    for (const shape of SHAPES) for (const side of ours) await compare(shape, yardstick, side);
    const load = forkTypeScript("load.ts");
    cleanUps.push(() => ended(load));
    const results = await measure(sides, load, seconds, rounds);
    return report(sides, results, `${rounds} rounds of ${seconds} s`, version);
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

async function startSides(
  cleanUps: (() => Promise<unknown>)[],
  withLayer: boolean,
): Promise<{ sides: Side[]; version: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), "pilothouse-bench-"));
  await chmod(dataDir, 0o755);
  cleanUps.push(() => rm(dataDir, { recursive: true, force: true }));
  const embedded = await startEmbedded({ dataDir, password: PASSWORD, observe: () => undefined });
  cleanUps.push(() => embedded.stop());

  const name = new URL(embedded.url).pathname.slice(1);
  const role = dbRole(name, "editor");
  const { session, version } = await prepareDatabase(embedded.url, name);

  const options: PostgrestOptions = {
    uri: apiUrl(embedded.url, PASSWORD),
    schemas: ["public"],
    jwtSecret: SECRET,
    maxRows: 2000,
    poolSize: POOL,
    settings: { pilothouse_key: KEY },
  };
  const postgrest = await startPostgrest(options);
  cleanUps.push(() => postgrest.stop());
  const plane = await startServer({
    plane: {
      version: "bench",
      databaseUrl: embedded.url,
      apiPassword: PASSWORD,
      key: KEY,
      host: "127.0.0.1",
      port: 0,
      publicUrl: null,
      webUrl: null,
      webProbe: null,
      admin: null,
    },
  });
  cleanUps.push(() => ended(plane.child));
  const bareChild = forkTypeScript("rest-bare.ts");
  cleanUps.push(() => ended(bareChild));
  const bare = await ask<{ port: number }>(bareChild, {
    databaseUrl: embedded.url,
    poolSize: POOL,
  } satisfies BareTask);
  const layer = withLayer ? await startServer({ layer: options }) : null;
  if (layer) cleanUps.push(() => ended(layer.child));
  const token = sign({ role, id: PERSON });
  return {
    version: `PostgreSQL ${version}`,
    sides: [
      { name: "PostgREST", port: postgrest.port, prefix: "", token },
      { name: "/db of the product", port: plane.port, prefix: "/db", token: session },
      { name: "bare pg", port: bare.port, prefix: "", token: "", isBare: true },
      ...(layer ? [{ name: "the layer alone", port: layer.port, prefix: "", token }] : []),
    ],
  };
}

async function prepareDatabase(url: string, name: string) {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    await migrate(owner, await readMigrations(MIGRATIONS), () => undefined);
    await applyRolesAndGrants(owner, { database: name, apiPassword: PASSWORD });
    await loadVolume(owner);
    const session = await signIn(owner);
    const { rows } = await owner.query<{ version: string }>(
      "select current_setting('server_version') as version",
    );
    return { session, version: rows[0]?.version ?? "" };
  } finally {
    await owner.end();
  }
}

/** An account with a session, so that the product's own way of checking credentials is part of what is measured. */
async function signIn(owner: pg.Client): Promise<string> {
  const now = new Date();
  await owner.query(
    `insert into public.identities (id, schema_id, traits, state, created_at, updated_at)
     values ($1, 'person', '{"email":"person1@example.org","name":{"first":"Person","last":"1"}}', 'active', now(), now())
     on conflict (id) do nothing`,
    [PERSON],
  );
  await owner.query(
    "insert into internal.role_grants (person_id, role) values ($1, 'editor') on conflict do nothing",
    [PERSON],
  );
  const token = newToken();
  const sessions = createSessionStore(owner as unknown as pg.Pool);
  const device = { client: null, userAgent: null };
  await sessions.open(
    { identityId: PERSON, tokenHash: digest(token), method: "password", aal: "aal1", device },
    null,
    now,
  );
  return token;
}

async function startServer(task: Task): Promise<{ child: ChildProcess; port: number }> {
  const child = forkTypeScript("rest-server.ts");
  const { port } = await ask<{ port: number }>(child, task);
  return { child, port };
}

const headersOf = (shape: Shape, side: Side): Record<string, string> => ({
  Authorization: `Bearer ${side.token}`,
  ...(shape.prefer ? { Prefer: shape.prefer } : {}),
  ...(shape.body === undefined ? {} : { "Content-Type": "application/json" }),
});

/** Every target of the shape, asked of both: same status, same rows, and rows at all. */
async function compare(shape: Shape, yardstick: Side, side: Side): Promise<void> {
  for (const target of shape.targets) {
    const [theirs, ours] = [await fetchRows(shape, target, yardstick), await fetchRows(shape, target, side)];
    if (theirs.status >= 300 || theirs.rows.length === 0)
      throw new Error(`${shape.name}: ${target}: ${theirs.text}`);
    const same =
      (side.isBare || (theirs.status === ours.status && theirs.range === ours.range)) &&
      isDeepStrictEqual(theirs.rows, ours.rows);
    if (!same)
      throw new Error(
        `${shape.name}: ${side.name} differs: ${target}\n${theirs.text}\n${ours.text}`.slice(0, 1500),
      );
  }
}

async function fetchRows(shape: Shape, target: string, side: Side) {
  const answer = await fetch(`http://127.0.0.1:${side.port}${side.prefix}${target}`, {
    method: shape.method,
    headers: headersOf(shape, side),
    body: shape.body ?? null,
  });
  const text = await answer.text();
  const rows = (answer.ok ? JSON.parse(text) : []) as unknown[];
  return { status: answer.status, range: answer.headers.get("content-range"), rows, text };
}

type Results = Map<string, Map<string, Outcome[]>>;

/** Rounds over all shapes; within a shape the sides take turns, and who begins changes with the round. */
async function measure(sides: Side[], load: ChildProcess, seconds: number, rounds: number): Promise<Results> {
  const results: Results = new Map(
    SHAPES.map((shape) => [shape.name, new Map(sides.map((side) => [side.name, []]))]),
  );
  for (let round = -1; round < rounds; round++) {
    for (const shape of SHAPES) {
      for (let turn = 0; turn < sides.length; turn++) {
        const side = sides[(turn + round + 1) % sides.length]!;
        const order: Order = {
          port: side.port,
          requests: shape.targets.map((target) => requestText(shape, target, side)),
          connections: CONNECTIONS,
          seconds: round < 0 ? Math.min(1, seconds) : seconds, // the first round only warms up
        };
        const outcome = await ask<Outcome>(load, order);
        if (outcome.failures > 0)
          throw new Error(`${shape.name}: ${outcome.failures} failures of ${side.name}`);
        if (round >= 0) results.get(shape.name)?.get(side.name)?.push(outcome);
      }
    }
    process.stderr.write(round < 0 ? "warmed up\n" : `round ${round + 1} of ${rounds}\n`);
  }
  return results;
}

function requestText(shape: Shape, target: string, side: Side): string {
  const headers = Object.entries({
    Host: `127.0.0.1:${side.port}`,
    Accept: "application/json",
    ...headersOf(shape, side),
    ...(shape.body === undefined ? {} : { "Content-Length": Buffer.byteLength(shape.body) }),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${shape.method} ${side.prefix}${target} HTTP/1.1\r\n${headers.join("")}\r\n${shape.body ?? ""}`;
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const geometric = (values: number[]) => Math.exp(mean(values.map(Math.log)));

function report(sides: Side[], results: Results, rounds: string, version: string): string {
  const [yardstick, ...ours] = sides;
  const rate = (shape: Shape, side: Side) =>
    mean((results.get(shape.name)?.get(side.name) ?? []).map(({ requests, seconds }) => requests / seconds));
  const p99 = (shape: Shape, side: Side) =>
    mean((results.get(shape.name)?.get(side.name) ?? []).map((one) => one.p99));
  const ratios = ours.map((side) => SHAPES.map((shape) => rate(shape, side) / rate(shape, yardstick!)));
  const rows = SHAPES.map((shape, index) => [
    shape.name,
    Math.round(rate(shape, yardstick!)),
    ...ours.flatMap((side, which) => [Math.round(rate(shape, side)), ratios[which]![index]!.toFixed(2)]),
    sides.map((side) => p99(shape, side).toFixed(1)).join(" / "),
  ]);
  const head = ["shape", "PostgREST /s", ...ours.flatMap((side) => [`${side.name} /s`, "ratio"]), "p99 ms"];
  const sum = [
    "**geometric mean**",
    "",
    ...ours.flatMap((_, which) => ["", geometric(ratios[which]!).toFixed(2)]),
    "",
  ];
  const least = [
    "least ratio",
    "",
    ...ours.flatMap((_, which) => ["", Math.min(...ratios[which]!).toFixed(2)]),
    "",
  ];
  return [
    `Measured on ${describeMachine([version])}; servers, database and load generator share it.`,
    "",
    `Requests per second, means of ${rounds}, the sides in turn; ${CONNECTIONS} keep-alive connections, ${POOL} database ` +
      `connections each, role editor. ${CANARIES} canaries, ${CHECKS} checks, ${STATUSES} check results. The answers ` +
      'were compared as JSON before. "/db of the product" is the control plane\'s HTTP server with a session looked up ' +
      'for every request; "bare pg" is an HTTP server that runs one hand-written prepared statement for a request, without ' +
      'credentials, roles or parsing; "the layer alone" checks a signed token, as PostgREST does.',
    "",
    table([head, ...rows, sum, least]),
    "",
  ].join("\n");
}
