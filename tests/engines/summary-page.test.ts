/** The feature `summary.page`: SQL and the web's own function make the same page of the same checks. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  CHECK_SORTS,
  CheckPage,
  CheckPageQuestion,
  PlainSummary,
  type PlainCheck,
} from "#app/contract/rows/check-page.ts";
import { checkPageOf } from "#app/features/checks/page-of.ts";
import { listSummaries, summaryFilter } from "#server/api/canary-summary.ts";
import { pageQuestion, summaryPage } from "#server/api/canary-summary-page.ts";
import { aCanary, aCheck, anAgent, asRole } from "#tests/support/builders.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";

let db: TestDatabase;
let plain: PlainCheck[];
let endpoints: Map<string, string>;
let agents: Map<string, string>;
beforeAll(async () => {
  db = await createDatabase();
  await fill();
  plain = await asRole(db, "viewer", null, async (client) => {
    const summaries = await listSummaries(client, summaryFilter({}, undefined));
    return PlainSummary.parse(JSON.parse(JSON.stringify({ checks_summary: summaries }))).checks_summary!;
  });
  const rows = await db.pool.query(
    `select checks.id, checks.spec ->> 'url' as url, agents.name as agent
     from checks join agents on agents.id = checks.agent_id where checks.deleted_at is null`,
  );
  endpoints = new Map(rows.rows.map(({ id, url }) => [id, url ?? ""]));
  agents = new Map(rows.rows.flatMap(({ id, agent }) => (agent.startsWith("edge") ? [[id, agent]] : [])));
});
afterAll(() => db.drop());

const TITLES = ["Pay/in", "Pay/out", "cart", "Cart", "api/v1/orders", "ünder", "100%_x", "/root", "zebra"];
const NAMESPACES = ["shop", "Bank", "", "none"];

/** Seventy checks with everything that can be missing missing somewhere, and some that are deleted. */
async function fill() {
  const { pool } = db;
  const edge = [await anAgent(pool, { name: "edge-b" }), await anAgent(pool, { name: "edge-a" })];
  const canaries: string[] = [];
  for (let n = 0; n < 9; n += 1)
    canaries.push(
      await aCanary(pool, {
        name: n === 8 ? "Group-0" : `group-${n % 7}`,
        namespace: NAMESPACES[n % 4],
        source: n === 7 ? "KubernetesCRD" : "UI",
        labels: n % 3 === 0 ? { team: `team-${n % 2}`, region: "eu" } : null,
        spec: {},
      }),
    );
  const taken = new Set<string>(); // a canary has a name of a type once
  for (let n = 0; n < 70; n += 1) {
    const name = n % 11 === 0 ? "" : `${TITLES[n % TITLES.length]}${n % 4 === 0 ? "" : `-${n % 6}`}`;
    const type = ["http", "tcp", "dns"][n % 3];
    let canary = (n * 5) % 9;
    while (taken.has(`${canary} ${type} ${name}`)) canary = (canary + 1) % 9;
    taken.add(`${canary} ${type} ${name}`);
    const id = await aCheck(pool, {
      canary_id: canaries[canary],
      name,
      type,
      ...(n % 5 === 0 || name === "" ? { description: `described ${n % 3}` } : {}),
      ...(n % 7 === 0 ? { namespace: "own" } : {}),
      ...(n % 9 === 0 ? { agent_id: edge[n % 2] } : {}),
      ...(n % 4 === 1
        ? {
            labels: {
              team: `Team-${n % 3}`,
              pci: n % 8 === 1 ? "true" : "",
              [n % 3 ? "a" : "a:b"]: n % 2 ? "b:c" : "c",
            },
          }
        : {}),
      ...(n % 6 === 0 ? { deleted_at: n % 12 === 0 ? null : new Date() } : {}),
      spec: { url: `https://host-${n % 3}.example/${n}` },
      status: [null, "healthy", "healthy", "unhealthy", "warning", "healthy", "unhealthy"][n % 7],
      last_transition_time: n % 3 === 0 ? null : new Date(Date.UTC(2026, 0, 1 + (n % 8))),
    });
    if (n % 7 > 0)
      await pool.query(
        `insert into check_statuses (check_id, time, status, duration)
         select $1::uuid, now() - make_interval(secs => 2 * m), ($3 + m) % $4 > 0, $2 * m
         from generate_series(1, $5::integer) as m`,
        [id, n % 5, n, 2 + (n % 4), 1 + (n % 30)],
      );
  }
}

const questions = fc.record(
  {
    query: fc.constantFrom(
      "",
      "",
      "",
      "cart",
      "PAY",
      "host-1",
      "%",
      "group-3",
      "described",
      "nothing like it",
    ),
    status: fc.constantFrom("all", "all", "all", "healthy", "unhealthy", "warning", "unknown"),
    hidePassing: fc.boolean(),
    flat: fc.constantFrom(false, false, true),
    tabBy: fc.constantFrom("namespace", "agent_id", "team", "region", "no such label"),
    tab: fc.constantFrom("", "", "", "shop", "none", "own", "edge-a", "local", "team-0", "eu", "gone"),
    groupBy: fc.constantFrom("no-group", "canary_name", "name", "description", "type", "team", "pci"),
    open: fc.dictionary(
      fc.constantFrom("group-1", "group-2", "http", "Pay", "(none)", "Others", "team-0", "true"),
      fc.constantFrom(1 as const, -1 as const),
    ),
    sortBy: fc.constantFrom(...CHECK_SORTS),
    sortDesc: fc.boolean(),
    labels: fc.dictionary(
      fc.constantFrom(
        "canary:team:team-0",
        "canary:team:Team-1",
        "canary:region:eu",
        "canary:pci:true",
        "canary:a:b:c",
        "canary:a:x",
        "canary:pci:",
        "garbage",
      ),
      fc.constantFrom(1 as const, -1 as const),
      { maxKeys: 3 },
    ),
    pivotLabel: fc.constantFrom("", "", "", "team", "a", "no such label"),
    limit: fc.constantFrom(5, 10, 50, 1000),
    offset: fc.constantFrom(0, 0, 5, 10, 100),
  },
  { requiredKeys: [] },
);

const instantOf = (moment: string | null) => (moment === null ? null : Date.parse(moment));
/** Without what differs by nature: the order of the tabs, the notation of a time, and the strip. */
const comparable = (page: CheckPage) => ({
  ...page,
  tabs: [...page.tabs].sort((a, b) => (a.value < b.value ? -1 : 1)),
  lines: page.lines.map(({ moved, ...line }) => ({
    ...line,
    moved: instantOf(moved),
    ...(line.kind === "check" ? { results: "", ran: instantOf(line.ran) } : {}),
  })),
  pivot: page.pivot && {
    ...page.pivot,
    rows: page.pivot.rows.map(({ key, cells }) => ({
      key,
      cells: cells.map((cell) => ({ ...cell, results: "" })),
    })),
  },
});

const inSql = (question: CheckPageQuestion) =>
  asRole(db, "viewer", null, async (client) =>
    CheckPage.parse(JSON.parse(JSON.stringify(await summaryPage(client, question)))),
  );
function inTheWeb(question: CheckPageQuestion) {
  const needle = question.query.trim().toLowerCase();
  const byEndpoint = [...endpoints].flatMap(([id, url]) => (needle && url.includes(needle) ? id : []));
  return checkPageOf(plain, question, { agents, byEndpoint: new Set(byEndpoint) });
}

test("SQL and the web's own function make the same page", { timeout: 120_000 }, async () => {
  expect(plain.length).toBeGreaterThan(50);
  await fc.assert(
    fc.asyncProperty(questions, async (asked) => {
      const question = CheckPageQuestion.parse(asked);
      expect(comparable(await inSql(question))).toEqual(comparable(inTheWeb(question)));
    }),
    { numRuns: 300 },
  );
});

describe("a page", () => {
  const ask = (asked: Partial<CheckPageQuestion> = {}) => inSql(CheckPageQuestion.parse(asked));

  test("and the next have every line once", async () => {
    for (const groupBy of ["no-group", "canary_name", "type"]) {
      const whole = await ask({ groupBy, limit: 1000 });
      const parts = [];
      for (let offset = 0; offset < whole.total; offset += 7)
        parts.push(...(await ask({ groupBy, limit: 7, offset })).lines);
      const ids = (lines: CheckPage["lines"]) =>
        lines.flatMap((line) => (line.kind === "check" ? line.id : []));
      expect(ids(parts)).toEqual(ids(whole.lines));
      const isPaged = (line: CheckPage["lines"][number]) => line.kind === "check" || !line.open;
      expect(whole.lines.filter(isPaged).length).toBe(whole.total);
    }
  });

  test("that begins inside a group says which", async () => {
    const [group, , second] = (await ask({ groupBy: "type", hidePassing: true })).lines;
    const { lines } = await ask({ groupBy: "type", hidePassing: true, offset: 1 });
    expect(lines.slice(0, 2)).toEqual([group, second]);
  });

  test("has the last 24 results of a check, oldest first", async () => {
    const { lines } = await ask({ groupBy: "no-group", limit: 1000 });
    const strips = lines.flatMap((line) => (line.kind === "check" ? [[line.id, line.results] as const] : []));
    expect(Math.max(...strips.map(([, strip]) => strip.length))).toBe(24);
    const [id, strip] = strips.find(([, { length }]) => length === 24)!;
    const { rows } = await db.pool.query(
      `select string_agg(status::integer::text, '' order by time) as strip from (
         select status, time from check_statuses where check_id = $1 order by time desc limit 24) as newest`,
      [id],
    );
    expect(strip).toBe(rows[0].strip);
  });

  test("has the figures of the time range that was asked for", async () => {
    const [first] = (await ask({ groupBy: "no-group", limit: 1000 })).lines;
    const id = first?.kind === "check" ? first.id : "";
    await db.pool.query(
      `insert into check_statuses (check_id, time, status, duration)
       select $1::uuid, now() - interval '5 hours' - make_interval(secs => n), false, 5000 from generate_series(1, 40) as n`,
      [id],
    );
    const figures = async (
      timeRange: CheckPageQuestion["timeRange"],
      sortBy: CheckPageQuestion["sortBy"],
    ) => {
      const { lines, ranged } = await ask({
        groupBy: "no-group",
        limit: 1000,
        timeRange,
        sortBy,
        sortDesc: true,
      });
      const line = lines.find((one) => one.kind === "check" && one.id === id);
      return line?.kind === "check"
        ? [ranged, line.failed, lines[0] === line, Math.round((line.latency ?? 0) / 500)]
        : [];
    };
    const [, before] = await figures("", "name");
    expect(await figures("1h", "latency")).toEqual([true, before, false, 0]);
    expect(await figures("6h", "latency")).toEqual([true, Number(before) + 40, true, 10]);
  });

  test("offers every label there is, also of canaries, and none of what is deleted", async () => {
    const { rows } = await db.pool.query<{ key: string; value: string }>(
      `select distinct label.key, label.value from checks join canaries on canaries.id = canary_id
       cross join jsonb_each_text(coalesce(canaries.labels, '{}') || coalesce(checks.labels, '{}')) as label
       where checks.deleted_at is null`,
    );
    const wanted = new Set(
      rows.filter(({ value }) => value !== "").map(({ key, value }) => `${key}=${value}`),
    );
    const offered = async () => {
      const { labels } = await ask();
      return new Set(labels.flatMap(({ key, values }) => values.map((value) => `${key}=${value}`)));
    };
    expect(await offered()).toEqual(wanted);
    const labelled = await aCheck(db.pool, { name: "labelled", labels: { late: "yes" } });
    expect(await offered()).toEqual(new Set([...wanted, "late=yes"]));
    await db.pool.query('update checks set labels = \'{"late": "no"}\' where id = $1', [labelled]);
    expect(await offered()).toEqual(new Set([...wanted, "late=no"]));
    await db.pool.query(
      'update canaries set labels = \'{"theirs": "too"}\' where id = (select canary_id from checks where id = $1)',
      [labelled],
    );
    expect(await offered()).toEqual(new Set([...wanted, "late=no", "theirs=too"]));
    await db.pool.query("update checks set deleted_at = now() where id = $1", [labelled]);
    expect(await offered()).toEqual(wanted);
  });

  test("takes two statements, however many checks there are", async () => {
    await asRole(db, "viewer", null, async (client) => {
      let statements = 0;
      const counted = { query: (...args: unknown[]) => (++statements, client.query(...(args as [string]))) };
      await summaryPage(counted as unknown as typeof client, CheckPageQuestion.parse({ limit: 1000 }));
      expect(statements).toBe(2);
    });
  });
});

test("a question that is none names its field", () => {
  expect(pageQuestion({ sortBy: "name" })).toBeUndefined();
  expect(pageQuestion({ page: {} })).toMatchObject({ groupBy: "canary_name", limit: 50 });
  for (const [page, field] of [
    [{ sortBy: "password" }, "page.sortBy"],
    [{ limit: 5000 }, "page.limit"],
    [{ open: { a: 2 } }, "page.open.a"],
    ["all", "page"],
  ] as const)
    expect(() => pageQuestion({ page }), field).toThrow(field);
});
