/** People are told of checks: real events of a real database, real receivers, a real mail server. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { SMTPServer } from "smtp-server";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { freePort } from "#server/db/ports.ts";
import { createDispatch } from "#server/engines/notifier/dispatch.ts";
import { aCanary, aPerson, insert } from "#tests/support/builders.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { aPlane, eventually, type Plane } from "./checks-support.ts";

interface Received {
  path: string;
  key: string;
  body: { title?: string; message?: string; status?: string; text?: string; check?: { name: string } };
}

const KEY = "a key of at least thirty-two characters"; // as the engines of checks-support.ts have it
let db: TestDatabase;
let pool: pg.Pool;
let receiver: Awaited<ReturnType<typeof aReceiver>>;
let mail: Awaited<ReturnType<typeof aMailServer>>;
const planes: Plane[] = [];

beforeAll(async () => {
  [db, receiver, mail] = await Promise.all([createDatabase(), aReceiver(), aMailServer()]);
  const options = `-c app.settings.pilothouse_key=${KEY.replaceAll(" ", "\\ ")}`;
  pool = new pg.Pool({ connectionString: db.url, max: 4, options });
  pool.on("error", () => undefined);
});
afterEach(async () => {
  await Promise.all(planes.splice(0).map((plane) => plane.end(500)));
  await pool.query(
    `delete from public.canaries; delete from public.notifications; delete from internal.event_queue;
     delete from public.notification_silences; delete from internal.control_planes`,
  );
  receiver.got.length = 0;
  receiver.answer = 200;
  mail.got.length = 0;
});
afterAll(async () => {
  receiver.close();
  await mail.close();
  await pool.end();
  await db.drop();
});

async function aReceiver() {
  const state = { got: [] as Received[], answer: 200, url: "", close: () => {} };
  const server = createServer((request: IncomingMessage, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      state.got.push({
        path: request.url ?? "",
        key: String(request.headers["idempotency-key"]),
        body: JSON.parse(text) as Received["body"],
      });
      response.writeHead(state.answer).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  state.close = () => void server.close();
  return state;
}

async function aMailServer() {
  const got: { to: string[]; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      let text = "";
      stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
      stream.on("end", () => {
        got.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return { got, port, close: () => new Promise<void>((done) => server.close(done)) };
}

const smtp = () => ({
  host: "127.0.0.1",
  port: mail.port,
  user: null,
  password: null,
  from: "ops@example.org",
});

async function start(needs: { pauseMs?: number; withMail?: boolean } = {}) {
  const { pauseMs = 200, withMail = true } = needs;
  const telling = { smtp: withMail ? smtp() : null, webUrl: "https://ops.example.org", pauseMs };
  const plane = await aPlane(db, { telling });
  planes.push(plane);
  await plane.start();
  return plane;
}

const rows = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows;

/** A check that nobody runs: its results are pushed by the test. */
async function aPushed(plane: Plane, name = "till") {
  const canary = await aCanary(pool, { name: `shop ${name}`, spec: {} });
  const person = await aPerson(pool);
  const report = async (status: "healthy" | "unhealthy", error?: string) => {
    const outcome = { status, ...(error ? { error } : {}) };
    const none = { description: null, icon: null, severity: "high", owner: null };
    await plane.pushes.push(
      {
        id: null,
        canaryId: canary,
        canaryName: null,
        name,
        type: "exec",
        namespace: "default",
        ...none,
        labels: {},
        time: null,
        ms: 12,
        outcome,
      },
      { personId: person, isAdmin: false },
    );
  };
  await report("healthy");
  const [{ id }] = await rows("select id from public.checks where canary_id = $1", [canary]);
  return { canary, check: id as string, report };
}

const aRule = (filter: string, row: object = {}) =>
  insert(pool, "public.notifications", {
    events: ["check.failed", "check.passed"],
    filter,
    properties: { afterFailures: "1" },
    custom_services: JSON.stringify([{ name: "hook", url: `${receiver.url}/hook` }]),
    source: "UI",
    ...row,
  });

/** Lets the engine finish: nothing left in the queue, nothing counted that could still be sent. */
const settled = () =>
  eventually(
    () => rows("select name from internal.event_queue where attempts < 4"),
    (left) => left.length === 0,
  );
const titles = () => receiver.got.map(({ body }) => body.title);
test("one message on the turn to unhealthy, one on recovery, none for what stays as it is", async () => {
  const plane = await start();
  const { check, report } = await aPushed(plane);
  await aRule(`check.id == '${check}'`);
  await settled();
  await report("unhealthy", "no paper");
  await report("unhealthy", "no paper");
  await eventually(
    async () => receiver.got.length,
    (n) => n === 1,
  );
  await report("healthy");
  await report("healthy");
  await eventually(
    async () => receiver.got.length,
    (n) => n === 2,
  );
  await settled();
  expect(titles()).toEqual(["Check till has failed", "Check till has passed"]);
  const [failed] = receiver.got;
  expect(failed!.body).toMatchObject({
    status: "unhealthy",
    error: "no paper",
    check: { id: check, name: "till", severity: "high" },
    duration_ms: 12,
    link: `https://ops.example.org/health?checkId=${check}&timeRange=1h`,
  });
  expect(
    await rows(
      "select status, source_event, error from public.notification_send_history order by created_at",
    ),
  ).toEqual([
    { status: "sent", source_event: "check.failed", error: null },
    { status: "sent", source_event: "check.passed", error: null },
  ]);
});

test("only after n failures in a row, and nothing of a blip", async () => {
  const plane = await start();
  const { check, report } = await aPushed(plane);
  await aRule(`check.id == '${check}'`, { properties: { afterFailures: "3" } });
  await report("unhealthy");
  await report("unhealthy");
  await settled();
  await report("healthy"); // a blip: nobody hears of it
  await settled();
  for (let n = 0; n < 2; n++) await report("unhealthy");
  await new Promise((done) => setTimeout(done, 1500)); // longer than the engine waits between two counts
  expect(titles()).toEqual([]);
  await report("unhealthy");
  await eventually(
    async () => receiver.got.length,
    (n) => n === 1,
  );
  await report("unhealthy");
  await report("healthy");
  await eventually(
    async () => receiver.got.length,
    (n) => n === 2,
  );
  expect(titles()).toEqual(["Check till has failed", "Check till has passed"]);
  expect(await rows("select from internal.notification_states")).toEqual([]);
});

test("failures that were being counted are still counted after a restart", async () => {
  const first = await start();
  const { check, report } = await aPushed(first);
  await aRule(`check.id == '${check}'`, { properties: { afterFailures: "2" } });
  await report("unhealthy");
  await eventually(
    () => rows("select from internal.notification_states"),
    (found) => found.length === 1,
  );
  await first.end(500);
  planes.length = 0;
  const second = await start();
  await aPushedAgain(second, check, "unhealthy");
  await eventually(
    async () => receiver.got.length,
    (n) => n === 1,
  );
  expect(titles()).toEqual(["Check till has failed"]);
});

async function aPushedAgain(plane: Plane, id: string, status: "healthy" | "unhealthy") {
  const none = {
    canaryId: null,
    canaryName: null,
    description: null,
    icon: null,
    severity: null,
    owner: null,
  };
  const sent = { ...none, id, name: "", type: "", namespace: "default", labels: {}, time: null, ms: 1 };
  const by = { personId: "00000000-0000-0000-0000-000000000001", isAdmin: false };
  await plane.pushes.push({ ...sent, outcome: { status } }, by);
}

test("two control planes tell once, the turns of a flapping check in their order", async () => {
  const unhurried = { pauseMs: 5000 }; // a first send may take longer than the others' pause when the machine is busy
  const [plane] = await Promise.all([start(unhurried), start(unhurried)]);
  const { check, report } = await aPushed(plane!);
  await aRule(`check.id == '${check}'`);
  await settled();
  for (let turn = 0; turn < 20; turn++) {
    await report("unhealthy");
    await report("healthy");
  }
  await settled();
  await eventually(
    () => rows("select from public.notification_send_history where status = 'sending'"),
    (left) => left.length === 0,
  );
  const said = titles();
  expect(said.length).toBeGreaterThanOrEqual(2);
  expect(said.length % 2).toBe(0);
  expect(said.every((title, n) => title === `Check till has ${n % 2 === 0 ? "failed" : "passed"}`)).toBe(
    true,
  );
  expect(new Set(receiver.got.map(({ key }) => key)).size).toBe(said.length);
}, 30_000);

test("an event that is renewed between its reading and its taking is looked at again at once", async () => {
  const event = { name: "check.failed", key: "renewed", properties: { id: randomUUID() } };
  const id = await insert(pool, "internal.event_queue", event);
  const renew = () => pool.query("update internal.event_queue set created_at = clock_timestamp()");
  let renewals = 1;
  const meddled = Object.assign(Object.create(pool) as pg.Pool, {
    async query(query: pg.QueryConfig) {
      const result = await pool.query(query);
      if (query.name === "notifier.events" && renewals-- > 0) await renew();
      return result;
    },
  });
  const dispatch = createDispatch({ pool: meddled, now: () => new Date(), webUrl: null });
  const left = () => rows("select id from internal.event_queue");
  expect(await dispatch()).toBe(0);
  expect(await left()).toEqual([{ id }]);
  expect(await dispatch()).toBeGreaterThan(0);
  expect(await left()).toEqual([]);
});

test("a receiver that is down is asked again, with the same key, and the recovery waits its turn", async () => {
  const plane = await start({ pauseMs: 20 });
  const { check, report } = await aPushed(plane);
  await aRule(`check.id == '${check}'`);
  await settled();
  receiver.answer = 503;
  await report("unhealthy");
  await eventually(
    async () => receiver.got.length,
    (n) => n >= 1,
  );
  await report("healthy");
  await eventually(
    () => rows("select error from public.notification_send_history where error is not null"),
    (found) => found.length > 0,
  );
  const [{ error }] = await rows(
    "select error from public.notification_send_history where error is not null",
  );
  expect(error).toBe("the receiver answered 503");
  receiver.answer = 200;
  await settled();
  await eventually(
    () => rows("select from public.notification_send_history where status = 'sent'"),
    (found) => found.length === 2,
  );
  const failed = receiver.got.filter(({ body }) => body.title === "Check till has failed");
  expect(failed.length).toBeGreaterThanOrEqual(2);
  expect(new Set(failed.map(({ key }) => key)).size).toBe(1);
  expect(receiver.got.at(-1)!.body.title).toBe("Check till has passed");
  expect(receiver.got.filter(({ body }) => body.title === "Check till has passed")).toHaveLength(1);
}, 20_000);

test("after the last attempt it is an error that stays to be seen", async () => {
  const plane = await start({ pauseMs: 1 });
  const { check, report } = await aPushed(plane);
  const rule = await aRule(`check.id == '${check}'`);
  receiver.answer = 500;
  await settled();
  await report("unhealthy");
  const found = await eventually(
    () => rows("select status, error from public.notification_send_history where status = 'error'"),
    (list) => list.length === 1,
    15_000,
  );
  expect(found).toEqual([{ status: "error", error: "the receiver answered 500" }]);
  expect(receiver.got).toHaveLength(4);
  const [summary] = await rows(
    "select pending::int, failed::int, sent::int from public.notifications_summary where id = $1",
    [rule],
  );
  expect(summary).toEqual({ pending: 0, failed: 1, sent: 0 });
}, 20_000);

test("mail goes to an address and to a person, with an id of its own", async () => {
  const plane = await start();
  const { canary, report } = await aPushed(plane);
  const person = await aPerson(pool, { email: "pia@example.org" });
  await aRule(`canary.id == '${canary}'`, {
    person_id: person,
    custom_services: JSON.stringify([{ name: "ops", url: "mailto:ops@example.org,night@example.org" }]),
  });
  await settled();
  await report("unhealthy", "no paper");
  await eventually(
    async () => mail.got.length,
    (n) => n === 2,
  );
  const [toPerson, toOps] = [...mail.got].sort((a, b) => a.to.length - b.to.length);
  expect(toPerson!.to).toEqual(["pia@example.org"]);
  expect(toOps!.to).toEqual(["ops@example.org", "night@example.org"]);
  expect(toOps!.text).toContain("Subject: Check till has failed");
  expect(toOps!.text).toContain("Error: no paper");
  await settled();
  const ids = (await rows("select id from public.notification_send_history")).map(
    ({ id }) => `<${id}@pilothouse>`,
  );
  for (const { text } of mail.got) expect(ids).toContain(/^Message-ID: (.+)$/im.exec(text)![1]);
});

test("Slack's webhooks get Slack's words, and nothing of a check's name becomes markup", async () => {
  const plane = await start();
  const { check, report } = await aPushed(plane, "<!channel> & co");
  await aRule(`check.id == '${check}'`, {
    custom_services: JSON.stringify([{ url: `slack+${receiver.url}/services/T/B/X` }]),
  });
  await settled();
  await report("unhealthy");
  await eventually(
    async () => receiver.got.length,
    (n) => n === 1,
  );
  expect(receiver.got[0]!.path).toBe("/services/T/B/X");
  expect(receiver.got[0]!.body.text).toContain(":red_circle: *Check &lt;!channel&gt; &amp; co has failed*");
});

test("addresses are kept as secrets: *** keeps them, a new one replaces them, nothing brings back what was never there", async () => {
  const id = await aRule("", {
    custom_services: JSON.stringify([{ url: "https://user:pw@hooks.example.org/services/T0/abc?x=1" }]),
  });
  const [{ custom_services: shown }] = await rows(
    "select custom_services from public.notifications where id = $1",
    [id],
  );
  expect(shown[0].url).toBe("https://hooks.example.org/***");
  const kept = () =>
    rows(
      "select internal.pgp_sym_decrypt(value, 'a key of at least thirty-two characters') as url from internal.secrets where row_id = $1",
      [id],
    );
  expect(await kept()).toEqual([{ url: "https://user:pw@hooks.example.org/services/T0/abc?x=1" }]);
  const write = (services: object[]) =>
    pool.query("update public.notifications set custom_services = $2 where id = $1", [
      id,
      JSON.stringify(services),
    ]);
  await write([{ url: "https://other.example.org/new" }, ...shown]);
  expect((await kept()).map(({ url }) => url).sort()).toEqual([
    "https://other.example.org/new",
    "https://user:pw@hooks.example.org/services/T0/abc?x=1",
  ]);
  await expect(write([{ url: "https://hooks.example.org/***" }])).rejects.toThrow(
    "There is no stored url to keep",
  );
  await write([]);
  expect(await kept()).toEqual([]);
});

test("a rule with a filter of its own is asked in CEL; one that cannot be evaluated says so and is left alone", async () => {
  const plane = await start();
  const { report } = await aPushed(plane);
  await aRule("check.severity == 'high' && status.error.contains('paper')");
  const broken = await aRule("check.nothing.here == 1");
  await settled();
  await report("unhealthy", "no paper");
  await eventually(
    async () => receiver.got.length,
    (n) => n === 1,
  );
  expect(titles()).toEqual(["Check till has failed"]);
  const [{ error }] = await rows("select error from public.notifications where id = $1", [broken]);
  expect(error).toMatch(/^filter: /);
  await pool.query("update public.notifications set filter = 'true' where id = $1", [broken]);
  expect((await rows("select error from public.notifications where id = $1", [broken]))[0].error).toBeNull();
});

test("a silence of the canary is written down instead of a message", async () => {
  const plane = await start();
  const { canary, check, report } = await aPushed(plane);
  await aRule(`check.id == '${check}'`);
  await insert(pool, "public.notification_silences", {
    namespace: "",
    from: new Date(Date.now() - 60_000),
    until: new Date(Date.now() + 60_000),
    canary_id: canary,
  });
  await settled();
  await report("unhealthy");
  await eventually(
    () => rows("select from public.notification_send_history where status = 'silenced'"),
    (found) => found.length === 1,
  );
  await report("healthy");
  await settled();
  expect(receiver.got).toEqual([]);
});

test("the test button sends at once, or says in words why it could not", async () => {
  const plane = await start({ withMail: false });
  const { check } = await aPushed(plane);
  const rule = await aRule(`check.id == '${check}'`);
  expect(await plane.notifier!.test(rule)).toEqual({ sent: 1 });
  expect(titles()).toEqual(["Test: till would be told about here"]);
  expect(await plane.notifier!.test("00000000-0000-4000-8000-000000000000")).toBeNull();
  receiver.answer = 404;
  await expect(plane.notifier!.test(rule)).rejects.toThrow("Not sent: the receiver answered 404");
  const byMail = await aRule("", { custom_services: JSON.stringify([{ url: "mailto:a@example.org" }]) });
  await expect(plane.notifier!.test(byMail)).rejects.toThrow("set SMTP_HOST and SMTP_FROM");
  const nowhere = await aRule("", {
    custom_services: JSON.stringify([{ url: `http://127.0.0.1:${await freePort()}/secret-path` }]),
  });
  const failure = await plane.notifier!.test(nowhere).catch((error: Error) => error.message);
  expect(failure).toContain("ECONNREFUSED");
  expect(failure).not.toContain("secret-path");
});

test("a rule that is removed before its message is sent tells nobody", async () => {
  const plane = await start({ pauseMs: 300 });
  const { check, report } = await aPushed(plane);
  const rule = await aRule(`check.id == '${check}'`);
  await settled();
  receiver.answer = 500;
  await report("unhealthy");
  await eventually(
    async () => receiver.got.length,
    (n) => n === 1,
  );
  await pool.query("update public.notifications set deleted_at = now() where id = $1", [rule]);
  await eventually(
    () => rows("select status, error from public.notification_send_history where status = 'error'"),
    (found) => found.length === 1,
  );
  expect(receiver.got).toHaveLength(1);
});
