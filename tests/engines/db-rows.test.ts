import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  aCanary,
  aCheck,
  aCheckStatus,
  aComponent,
  aConfigItem,
  aConnection,
  aJob,
  anAgent,
  aPerson,
  asRole,
  aTeam,
  insert,
} from "#tests/support/builders.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createDatabase();
});
afterAll(() => db.drop());

type Row = Record<string, unknown>;
const one = async (sql: string, values: unknown[] = []): Promise<Row> =>
  (await db.pool.query<Row>(sql, values)).rows[0]!;
const minutes = (n: number) => new Date(Date.now() + n * 60_000);

describe("every row", () => {
  test("created_by is the caller, whatever the body says, and stays who it was", async () => {
    const editor = await aPerson(db.pool, { roles: ["editor"] });
    const other = await aPerson(db.pool);
    const id = await asRole(db, "editor", editor, async (client) => {
      const made = await client.query(
        "insert into public.canaries (name, namespace, spec, created_by) values ('mine', 'default', '{}', $1) returning *",
        [other],
      );
      expect(made.rows[0].created_by).toBe(editor);
      const changed = await client.query(
        "update public.canaries set created_by = $2 where id = $1 returning created_by",
        [made.rows[0].id, other],
      );
      expect(changed.rows[0].created_by).toBe(editor);
      return made.rows[0].id as string;
    });
    await asRole(db, "editor", other, (client) =>
      client.query("update public.canaries set source = 'UI', created_by = null where id = $1", [id]),
    );
    expect(await one("select created_by from public.canaries where id = $1", [id])).toEqual({
      created_by: editor,
    });
  });

  test("a row that engines write has the creator they give", async () => {
    const person = await aPerson(db.pool);
    const id = await aCanary(db.pool, { created_by: person });
    expect(await one("select created_by from public.canaries where id = $1", [id])).toEqual({
      created_by: person,
    });
  });

  test("updated_at moves with every change, twice in one transaction too, and with no other", async () => {
    const id = await aCanary(db.pool);
    const version = "select updated_at::text as at from public.canaries where id = $1";
    const seen = [(await one(version, [id]))["at"] as string];
    const client = new pg.Client({ connectionString: db.url });
    await client.connect();
    await client.query("begin");
    for (const icon of ["a", "b"]) {
      await client.query("update public.canaries set source = $2, updated_at = '2000-01-01' where id = $1", [
        id,
        icon,
      ]);
      seen.push((await client.query(version, [id])).rows[0].at);
    }
    await client.query("commit");
    await client.end();
    await db.pool.query("update public.canaries set source = source where id = $1", [id]);
    expect((await one(version, [id]))["at"]).toBe(seen[2]);
    expect(new Set(seen).size).toBe(3);
    expect([...seen].sort()).toEqual(seen);
  });

  test("ids sort by the time they were made and are told as text", async () => {
    const rows = await db.pool.query(
      "select public.generate_ulid() as id, pg_sleep(0.002) from generate_series(1, 20)",
    );
    const ids = rows.rows.map(({ id }) => id as string);
    expect([...ids].sort()).toEqual(ids);
    expect(await one("select public.uuid_to_ulid('01563e3a-b5d3-d676-4c61-efb99302bd5b') as ulid")).toEqual({
      ulid: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    });
  });
});

describe("checks", () => {
  test("a run moves the state and not the definition's version", async () => {
    const id = await aCheck(db.pool);
    const before = await one("select updated_at from public.checks where id = $1", [id]);
    await db.pool.query(
      "update internal.check_state set status = 'healthy', last_runtime = now() where check_id = $1",
      [id],
    );
    expect(await one("select updated_at, status from public.checks where id = $1", [id])).toEqual({
      ...before,
      status: "healthy",
    });
  });

  test("a change of status is an event, the first one and a row born with a status are told apart", async () => {
    const events = async (id: string) =>
      (
        await db.pool.query(
          "select name, properties from internal.event_queue where key = $1 order by created_at, name",
          [id],
        )
      ).rows;
    const born = await aCheck(db.pool, { status: "healthy", last_runtime: new Date() });
    expect(await events(born)).toEqual([]);

    const id = await aCheck(db.pool);
    const set = (status: string) =>
      db.pool.query("update public.checks set status = $2, last_runtime = '2026-01-01Z' where id = $1", [
        id,
        status,
      ]);
    await set("healthy");
    expect(await events(id)).toEqual([
      { name: "check.passed", properties: { id, last_runtime: "2026-01-01T00:00:00+00:00" } },
    ]);
    const { last_transition_time: first } = await one(
      "select last_transition_time from public.checks where id = $1",
      [id],
    );
    expect(first).toBeInstanceOf(Date);
    await set("healthy");
    expect(await one("select last_transition_time from public.checks where id = $1", [id])).toEqual({
      last_transition_time: first,
    });
    await set("unhealthy");
    expect((await events(id)).map(({ name }) => name).sort()).toEqual(["check.failed", "check.passed"]);
  });

  test("many checks that fail together are one insert, and one notification", async () => {
    const canary = await aCanary(db.pool);
    const ids = await Promise.all(Array.from({ length: 20 }, () => aCheck(db.pool, { canary_id: canary })));
    const listener = new pg.Client({ connectionString: db.url });
    await listener.connect();
    const heard: string[] = [];
    listener.on("notification", ({ payload }) => heard.push(payload ?? ""));
    await listener.query("listen event_queue_updates");
    await db.pool.query("update internal.check_state set status = 'unhealthy' where check_id = any ($1)", [
      ids,
    ]);
    await db.pool.query("select pg_notify('event_queue_updates', 'end')");
    await expect.poll(() => heard).toEqual(["check.failed", "end"]);
    await listener.end();
    expect(
      await one(
        "select count(*)::int as n from internal.event_queue where key = any ($1) and name = 'check.failed'",
        [ids],
      ),
    ).toEqual({ n: 20 });
  });

  test("an event that still waits is renewed, whatever its size", async () => {
    const enqueue = (text: string) =>
      db.pool.query(
        "select internal.enqueue_event('notification.send', 'n1', jsonb_build_object('text', $1::text))",
        [text],
      );
    await enqueue("x".repeat(100_000));
    await db.pool.query(
      "update internal.event_queue set attempts = 2, error = 'no' where name = 'notification.send'",
    );
    await enqueue("short");
    expect(
      await one(
        "select properties, attempts, error from internal.event_queue where name = 'notification.send'",
      ),
    ).toEqual({ properties: { text: "short" }, attempts: 0, error: null });
  });

  test("deleting a canary deletes its checks and closes their links to components and to config items", async () => {
    const canary = await aCanary(db.pool);
    const check = await aCheck(db.pool, { canary_id: canary });
    await insert(db.pool, "public.check_component_relationships",
      { component_id: await aComponent(db.pool), check_id: check, canary_id: canary }, "check_id"); // prettier-ignore
    await insert(db.pool, "public.check_config_relationships",
      { config_id: await aConfigItem(db.pool), check_id: check, canary_id: canary }, "check_id"); // prettier-ignore
    await db.pool.query("update public.canaries set deleted_at = '2026-02-01Z' where id = $1", [canary]);
    const { rows } = await db.pool.query(
      `select deleted_at from public.checks where id = $1
       union all select deleted_at from public.check_component_relationships where check_id = $1
       union all select deleted_at from public.check_config_relationships where check_id = $1`,
      [check],
    );
    expect(rows).toEqual(Array(3).fill({ deleted_at: new Date("2026-02-01Z") }));
  });

  test("of two writers who saw the same version of a check, one updates nothing", async () => {
    const id = await aCheck(db.pool);
    const update = (icon: string) =>
      db.pool.query("update public.checks set icon = $2 where id = $1 and updated_at = $3::timestamptz", [
        id,
        icon,
        seen,
      ]);
    const { at: seen } = await one("select updated_at::text as at from public.checks where id = $1", [id]);
    const results = await Promise.all(["a", "b", "c", "d"].map(update));
    expect(results.map(({ rowCount }) => rowCount).sort()).toEqual([0, 0, 0, 1]);
  });
});

describe("check history", () => {
  test("weeks are made ahead, every time has a place, and rows that came early move to their week", async () => {
    const check = await aCheck(db.pool);
    const where = async (time: string) =>
      (
        await one(
          "select tableoid::regclass::text as place from public.check_statuses where check_id = $1 and time = $2",
          [check, time],
        )
      )["place"];
    await aCheckStatus(db.pool, check, { time: "2031-03-05T12:00:00Z" });
    await aCheckStatus(db.pool, check, { time: "2022-01-01T00:00:00Z" });
    expect(await where("2031-03-05T12:00:00Z")).toBe("internal.check_statuses_default");
    expect(await one("select internal.ensure_partitions('2031-03-01Z') as made")).toEqual({ made: 4 });
    expect(await one("select internal.ensure_partitions('2031-03-01Z') as made")).toEqual({ made: 0 });
    expect(await where("2031-03-05T12:00:00Z")).toBe("internal.check_statuses_2031w10");
    expect(await where("2022-01-01T00:00:00Z")).toBe("internal.check_statuses_default");
    const ahead = await one(
      `select max((regexp_match(pg_get_expr(relpartbound, oid), 'TO \\(''([^'']+)'))[1]::timestamptz)
         > now() + interval '7 days' as enough
       from pg_class where relname ~ '^check_statuses_202\\dw'`,
    );
    expect(ahead).toEqual({ enough: true });
  });

  test("retention drops whole weeks and the old rows of the default partition", async () => {
    const check = await aCheck(db.pool);
    await db.pool.query("select internal.ensure_partitions('2020-05-13Z')");
    for (const time of ["2020-05-06Z", "2020-05-27Z", "2019-01-01Z"])
      await aCheckStatus(db.pool, check, { time });
    // 30 days before 6 June is 7 May: the week of 4 May ends on the 11th and stays.
    expect(await one("select internal.drop_old_partitions(30, '2020-06-06Z') as dropped")).toEqual({
      dropped: 0,
    });
    expect(
      await one("select count(*)::int as n from public.check_statuses where check_id = $1", [check]),
    ).toEqual({ n: 2 });
    expect(await one("select internal.drop_old_partitions(30, '2020-06-10Z') as dropped")).toEqual({
      dropped: 1,
    });
    const left = await db.pool.query("select time from public.check_statuses where check_id = $1", [check]);
    expect(left.rows).toEqual([{ time: new Date("2020-05-27Z") }]);
  });

  test("hours and days are summed up as runs are written, once for each", async () => {
    const check = await aCheck(db.pool);
    const at = (time: string, status: boolean, duration: number) =>
      aCheckStatus(db.pool, check, { time: `2026-03-01T${time}Z`, status, duration });
    await at("10:00:00", true, 10);
    await at("10:59:59", false, 3000);
    await at("11:00:00", true, 20);
    await db.pool.query(
      `insert into public.check_statuses (check_id, time, status, duration) values ($1, '2026-03-01T11:00:00Z', true, 20)
       on conflict do nothing`,
      [check],
    );
    const hours = await db.pool.query(
      "select * from public.check_statuses_1h where check_id = $1 order by created_at",
      [check],
    );
    expect(hours.rows).toEqual([
      {
        check_id: check,
        created_at: new Date("2026-03-01T10:00Z"),
        duration: 3010,
        total: 2,
        passed: 1,
        failed: 1,
      },
      {
        check_id: check,
        created_at: new Date("2026-03-01T11:00Z"),
        duration: 20,
        total: 1,
        passed: 1,
        failed: 0,
      },
    ]);
    expect(await one("select * from public.check_statuses_1d where check_id = $1", [check])).toEqual({
      check_id: check,
      created_at: new Date("2026-03-01Z"),
      duration: 3030,
      total: 3,
      passed: 2,
      failed: 1,
    });
    const { p50, p99 } = await one(
      `select internal.histogram_percentile(histogram, 0.5)::float8 as p50,
         internal.histogram_percentile(histogram, 0.99)::float8 as p99
       from internal.sum_check_buckets(array[$1::uuid], '2026-03-01Z', '2026-03-02Z')`,
      [check],
    );
    expect(Math.abs((p50 as number) / 20 - 1)).toBeLessThan(0.05);
    expect(Math.abs((p99 as number) / 3000 - 1)).toBeLessThan(0.05);
  });

  const summary = (check: string) =>
    one("select uptime, latency from public.check_summary where id = $1", [check]);

  test("the summary is that of the last hour", async () => {
    const check = await aCheck(db.pool);
    expect(await summary(check)).toEqual({
      uptime: { passed: null, failed: null, last_pass: null, last_fail: null },
      latency: { p99: null, p97: null, p95: null, p50: null, avg: null },
    });
    for (let n = 0; n < 100; n++)
      await aCheckStatus(db.pool, check, { time: minutes(-n / 2), status: n % 5 > 0, duration: n + 1 });
    await aCheckStatus(db.pool, check, { time: minutes(-70), status: true, duration: 9999 });
    const { uptime, latency } = await summary(check);
    expect(uptime).toMatchObject({ passed: 80, failed: 20 });
    expect(latency).toMatchObject({ avg: 50.5 });
    for (const [name, value] of Object.entries({ p99: 99, p97: 97, p95: 95, p50: 50 }))
      expect(Math.abs((latency as Record<string, number>)[name]! / value - 1)).toBeLessThan(0.05);
  });

  test("a check that runs rarely is summed up when it is asked for", async () => {
    const check = await aCheck(db.pool);
    await aCheckStatus(db.pool, check, { time: minutes(-85), status: false, duration: 1000 });
    await aCheckStatus(db.pool, check, { time: minutes(-50), status: true, duration: 30 });
    expect(await summary(check)).toMatchObject({
      uptime: { passed: 1, failed: 0, last_fail: null },
      latency: { p99: 30, p50: 30, avg: 30 },
    });
  });

  test("a check that did not run for an hour shows its newest run", async () => {
    const check = await aCheck(db.pool);
    await aCheckStatus(db.pool, check, { time: minutes(-120), status: true, duration: 5 });
    await aCheckStatus(db.pool, check, { time: minutes(-90), status: false, duration: 700 });
    expect(await summary(check)).toMatchObject({
      uptime: { passed: 0, failed: 1, last_pass: null },
      latency: { p99: 700, p95: 700, p50: 700, avg: 700 },
    });
  });

  test("labels of the canary are overlaid by the check's, and none on one side hides none of the other", async () => {
    const canary = await aCanary(db.pool, { labels: { app: "shop", tier: "web" } });
    const check = await aCheck(db.pool, { canary_id: canary });
    const labels = () => one("select labels from public.check_summary where id = $1", [check]);
    expect(await labels()).toEqual({ labels: { app: "shop", tier: "web" } });
    await db.pool.query("update public.checks set labels = $2 where id = $1", [check, { tier: "api" }]);
    expect(await labels()).toEqual({ labels: { app: "shop", tier: "api" } });
  });
});

describe("secrets of connections", () => {
  const key = "a key for the tests";
  const withKey = <T>(work: (client: pg.Client) => Promise<T>) => asRole(db, "admin", null, work, { key });
  const secret = async (id: string, column: string, name = "") => {
    const client = new pg.Client({ connectionString: db.url });
    await client.connect();
    await client.query("select set_config('app.settings.pilothouse_key', $1, false)", [key]);
    const { rows } = await client.query("select internal.secret_of('connections', $1, $2, $3) as value", [
      id,
      column,
      name,
    ]);
    await client.end();
    return rows[0].value as string | null;
  };

  test("what is written is hidden at once, encrypted, and comes back only for the engines", async () => {
    const id = await withKey(async (client) => {
      const { rows } = await client.query(
        `insert into public.connections (name, type, url, username, password, certificate, properties)
         values ('all', 'postgres', 'postgres://app:pa:ss@host:5432/db', 'app', 'hunter2', 'PEM',
                 '{"region": "eu", "bearer": "tok", "apiKey": "k", "tokenURL": "https://t/"}') returning *`,
      );
      expect(rows[0]).toMatchObject({
        url: "postgres://app:***@host:5432/db",
        username: "app",
        password: "***",
        certificate: "***",
        properties: { region: "eu", bearer: "***", apiKey: "***", tokenURL: "https://t/" },
      });
      return rows[0].id as string;
    });
    expect(await secret(id, "password")).toBe("hunter2");
    expect(await secret(id, "certificate")).toBe("PEM");
    expect(await secret(id, "url")).toBe("pa:ss");
    expect(await secret(id, "properties", "bearer")).toBe("tok");
    expect(
      await one(
        "select count(*)::int as n from internal.secrets where position('hunter2' in encode(value, 'escape')) > 0",
      ),
    ).toEqual({ n: 0 });
  });

  test("*** keeps what is stored, a new value replaces it, nothing or a reference forgets it", async () => {
    const id = await withKey(async (client) => {
      const { rows } = await client.query(
        "insert into public.connections (name, type, password, url) values ('kept', 'http', 'first', 'https://u:p@a/') returning id",
      );
      return rows[0].id as string;
    });
    const version = async () =>
      (await one("select updated_at::text as at from public.connections where id = $1", [id]))["at"];
    const write = (password: string | null, url: string) =>
      withKey((client) =>
        client.query(
          "update public.connections set password = $2, url = $3 where id = $1 returning password, url",
          [id, password, url],
        ),
      );
    await write("***", "https://u:***@b/");
    expect([await secret(id, "password"), await secret(id, "url")]).toEqual(["first", "p"]);
    const before = await version();
    const changed = await write("second", "https://u:***@b/");
    expect(changed.rows[0]).toEqual({ password: "***", url: "https://u:***@b/" });
    expect(await secret(id, "password")).toBe("second");
    expect(await version()).not.toBe(before); // a new secret is a new version
    const reference = await write("secret://name/key", "https://u:$(password)@b/");
    expect(reference.rows[0]).toEqual({ password: "secret://name/key", url: "https://u:$(password)@b/" });
    expect([await secret(id, "password"), await secret(id, "url")]).toEqual([null, null]);
    await expect(write("***", "https://b/")).rejects.toThrow("There is no stored password to keep");
    await write(null, "https://b/");
    await withKey((client) => client.query("delete from public.connections where id = $1", [id]));
    expect(await one("select count(*)::int as n from internal.secrets where row_id = $1", [id])).toEqual({
      n: 0,
    });
  });

  test("without a key nothing is stored, and the error says what to do", async () => {
    await expect(
      asRole(db, "admin", null, (client) =>
        client.query("insert into public.connections (name, type, password) values ('keyless', 'http', 'x')"),
      ),
    ).rejects.toMatchObject({ code: "55000", hint: "Set PILOTHOUSE_KEY and start again." });
    expect(await one("select count(*)::int as n from public.connections where name = 'keyless'")).toEqual({
      n: 0,
    });
    await aConnection(db.pool, { name: "no secret in it", url: "https://example.org/" });
  });

  test("an upsert cannot hang a secret on another row", async () => {
    await withKey((client) =>
      client.query("insert into public.connections (name, type, password) values ('once', 'http', 'a')"),
    );
    await expect(
      withKey((client) =>
        client.query(
          `insert into public.connections (name, type, password) values ('once', 'http', 'b')
           on conflict (name, namespace) where deleted_at is null do update set password = excluded.password`,
        ),
      ),
    ).rejects.toMatchObject({ code: "23505" });
  });

  test("whoever may not read connections sees which there are", async () => {
    await asRole(db, "viewer", null, async (client) => {
      const { rows } = await client.query("select * from public.connections_list where name = 'all'");
      expect(Object.keys(rows[0]).sort()).toEqual([
        "category",
        "created_at",
        "created_by",
        "id",
        "name",
        "namespace",
        "type",
        "updated_at",
      ]);
    });
  });
});

describe("lists", () => {
  test("an agent's counts follow its rows, folded or not", async () => {
    const agent = await anAgent(db.pool);
    const counts = () =>
      one(
        "select config_count::int as configs, checks_count::int as checks from public.agents_summary where id = $1",
        [agent],
      );
    expect(await counts()).toEqual({ configs: 0, checks: 0 });
    await aConfigItem(db.pool, { agent_id: agent });
    const moving = await aConfigItem(db.pool, { agent_id: agent });
    await aCheck(db.pool, { agent_id: agent });
    expect(await counts()).toEqual({ configs: 2, checks: 1 });
    await db.pool.query("select internal.fold_agent_counts()");
    await db.pool.query("update public.config_items set agent_id = default where id = $1", [moving]);
    expect(await counts()).toEqual({ configs: 1, checks: 1 });
    await db.pool.query("delete from public.config_items where agent_id = $1", [agent]);
    await db.pool.query("select internal.fold_agent_counts()");
    expect(await counts()).toEqual({ configs: 0, checks: 1 });
  });

  test("an agent deleted with its things takes them along, and its tokens end", async () => {
    const person = await aPerson(db.pool, { type: "agent" });
    const agent = await anAgent(db.pool, { person_id: person, cleanup: true });
    const canary = await aCanary(db.pool, { agent_id: agent });
    const check = await aCheck(db.pool, { agent_id: agent, canary_id: canary });
    await insert(db.pool, "internal.access_tokens", {
      name: "t",
      person_id: person,
      value: "h",
      created_at: new Date(),
    });
    await db.pool.query("update public.agents set deleted_at = '2026-04-01Z' where id = $1", [agent]);
    expect(await one("select deleted_at from public.checks where id = $1", [check])).toEqual({
      deleted_at: new Date("2026-04-01Z"),
    });
    expect(
      await one("select expires_at <= now() as ended from internal.access_tokens where person_id = $1", [
        person,
      ]),
    ).toEqual({ ended: true });
    expect(await one("select count(*)::int as n from public.agents_summary where id = $1", [agent])).toEqual({
      n: 0,
    });
  });

  test("a resource shows its newest job of its own kind, and when one last failed", async () => {
    const id = await aCanary(db.pool);
    const job = (row: Row) => aJob(db.pool, { resource_type: "canary", resource_id: id, ...row });
    const shown = () =>
      one(
        "select job_name, job_status, job_last_failed, agent, interval, schedule from public.canaries_with_status where id = $1",
        [id],
      );
    expect(await shown()).toMatchObject({ job_name: null, job_last_failed: null, schedule: "@every 1m" });
    await job({ status: "FAILED", created_at: minutes(-10), time_start: minutes(-10) });
    const running = await job({ status: "RUNNING", created_at: minutes(-5) });
    await job({ status: "SUCCESS", created_at: minutes(-20), name: "late to arrive" });
    await aJob(db.pool, { resource_type: "topology", resource_id: id, status: "STALE" });
    expect(await shown()).toMatchObject({ job_status: "RUNNING", agent: { name: "local" }, interval: null });
    await db.pool.query("update public.job_history set status = 'SUCCESS' where id = $1", [running]);
    const { job_last_failed: failed, job_status: status } = await shown();
    expect(status).toBe("SUCCESS");
    expect(Math.round((Date.now() - (failed as Date).getTime()) / 60_000)).toBe(10);
    expect(await one("select resource_name from public.job_histories where id = $1", [running])).toEqual(
      await one("select name as resource_name from public.canaries where id = $1", [id]),
    );
    expect(
      await one(
        "select rn::int, id from public.job_history_latest_status where resource_id = $1 and resource_type = 'canary'",
        [id],
      ),
    ).toEqual({ rn: 1, id: running });
    const names = await db.pool.query("select name from public.job_history_names");
    expect(names.rows).toEqual([{ name: "Canary" }, { name: "late to arrive" }]);
  });

  test("people_roles has everybody who signs in, whatever they hold", async () => {
    const viewer = await aPerson(db.pool);
    const two = await aPerson(db.pool, { roles: ["responder", "editor"] });
    await aPerson(db.pool, { type: "agent" });
    const { rows } = await db.pool.query("select id, roles from public.people_roles");
    expect(rows.find(({ id }) => id === viewer).roles).toEqual([]);
    expect(rows.find(({ id }) => id === two).roles).toEqual(["editor", "responder"]);
    expect(await one("select count(*)::int as n from public.people_roles where name = 'System'")).toEqual({
      n: 0,
    });
  });

  test("a team that is gone owns no components", async () => {
    const team = await aTeam(db.pool);
    await insert(db.pool, "public.team_components",
      { team_id: team, component_id: await aComponent(db.pool) }, "team_id"); // prettier-ignore
    await db.pool.query("update public.teams set deleted_at = now() where id = $1", [team]);
    expect(
      await one("select count(*)::int as n from public.team_components where team_id = $1", [team]),
    ).toEqual({ n: 0 });
  });

  test("the event queue says what waits and what failed", async () => {
    await db.pool.query("delete from internal.event_queue");
    await db.pool.query(
      "select internal.enqueue_event('incident.created', n::text, '{}') from generate_series(1, 3) n",
    );
    await db.pool.query(
      "update internal.event_queue set error = 'no route', attempts = 2, last_attempt = now() where key in ('1', '2')",
    );
    expect(
      await one(
        "select name, pending::int, failed::int, average_attempts, most_common_error from public.event_queue_summary",
      ),
    ).toEqual({
      name: "incident.created",
      pending: 3,
      failed: 2,
      average_attempts: "1.33",
      most_common_error: "no route",
    });
  });
});
