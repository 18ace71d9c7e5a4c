/** Every runner against real servers, and every way to fail as an unhealthy check with a sentence. */
import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { once } from "node:events";
import { createServer as createTcpServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { attempt } from "#server/engines/checks/attempt.ts";
import type { Connection, Outcome } from "#server/engines/checks/runner.ts";
import { readPing } from "#server/engines/checks/runners/icmp.ts";
import { aNameServer, type NameServer } from "./fixtures/name-server.ts";

const servers: Server[] = [];
async function listen<S extends Server>(server: S): Promise<number> {
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
afterAll(() => {
  for (const server of servers) {
    if ("closeAllConnections" in server) (server as { closeAllConnections(): void }).closeAllConnections();
    server.close();
  }
});

const connections = new Map<string, Connection>();
const never = new AbortController().signal;
const run = (type: string, spec: object, { timeoutMs = 5000, stop = never } = {}): Promise<Outcome> =>
  attempt(
    { type, namespace: "default", spec: { name: "check", ...spec } },
    {
      timeoutMs,
      stop,
      async resolveConnection(reference) {
        const found = connections.get(reference);
        if (!found) throw new Error(`connection ${reference} was not found`);
        return found;
      },
    },
  );

describe("tcp", () => {
  let port = 0;
  beforeAll(async () => {
    port = await listen(createTcpServer((socket) => socket.on("error", () => undefined)));
  });

  test("passes when the port accepts", async () => {
    expect(await run("tcp", { endpoint: `127.0.0.1:${port}`, thresholdMillis: 1000 })).toMatchObject({
      status: "healthy",
    });
    expect(await run("tcp", { endpoint: `localhost:${port}` })).toMatchObject({ status: "healthy" });
  });

  test.each([
    ["127.0.0.1:1", /ECONNREFUSED/],
    ["nowhere.invalid:80", /ENOTFOUND|EAI_AGAIN/],
    ["127.0.0.1", 'endpoint "127.0.0.1" must be host:port'],
    ["127.0.0.1:0", "must be host:port"],
    ["127.0.0.1:99999", "must be host:port"],
    ["::1:80", "must be host:port"],
    ["http://x:80", "must be host:port"],
  ])("%s fails with a sentence", async (endpoint, words) => {
    const outcome = await run("tcp", { endpoint });
    expect([outcome.status, outcome.error]).toEqual(["unhealthy", expect.stringMatching(words)]);
  });
});

describe("postgres", () => {
  const address = () => inject("postgres");
  const parts = () => new URL(address());

  test.each<[string, () => object]>([
    ["a query", () => ({ url: address(), query: "select generate_series(1, 3)", results: 3 })],
    ["SELECT 1 when there is none", () => ({ url: address(), results: 1 })],
    ["no rows, when none are expected", () => ({ url: address(), query: "select 1 where false" })],
    [
      "credentials in the spec",
      () => ({
        url: `postgres://$(username):$(password)@${parts().host}/postgres?sslmode=disable`,
        username: { value: parts().username },
        password: { value: decodeURIComponent(parts().password) },
      }),
    ],
    [
      "key=value pairs",
      () => ({
        url: `host=${parts().hostname} port=${parts().port} dbname=postgres user='$(username)' sslmode=disable`,
        username: parts().username,
        password: decodeURIComponent(parts().password),
      }),
    ],
  ])("passes: %s", async (_, spec) => {
    expect(await run("postgres", spec())).toMatchObject({ status: "healthy" });
  });

  test.each<[string, () => object, string | RegExp]>([
    [
      "too few rows",
      () => ({ url: address(), query: "select 1", results: 3 }),
      "Query returned 1 rows, expected 3",
    ],
    [
      "a query that fails",
      () => ({ url: address(), query: "select * from missing" }),
      'relation "missing" does not exist',
    ],
    [
      "endless rows",
      () => ({ url: address(), query: "select generate_series(1, 100000000)" }),
      "more than 100000 rows",
    ],
    [
      "a wrong password",
      () => ({ url: `postgres://postgres:wrong@${parts().host}/postgres` }),
      "password authentication failed",
    ],
    ["nobody there", () => ({ url: "postgres://x@127.0.0.1:1/x" }), /ECONNREFUSED/],
    ["an odd address", () => ({ url: "mysql://x" }), "url must be postgres://"],
    ["TLS where there is none", () => ({ url: `${address()}?sslmode=require` }), /does not support SSL/],
  ])("fails: %s", async (_, spec, words) => {
    const outcome = await run("postgres", spec());
    expect([outcome.status, outcome.error]).toEqual(["unhealthy", expect.stringMatching(words)]);
  });

  test("a query that hangs ends at the time limit, and does not go on in the server", async () => {
    const mark = `hang ${process.pid}`;
    const spec = { url: address(), query: `select pg_sleep(30) /* ${mark} */` };
    expect(await run("postgres", spec, { timeoutMs: 300 })).toMatchObject({
      error: expect.stringMatching(/timed out after 0.3 s|statement timeout/),
    });
    await expect
      .poll(async () => {
        const client = new pg.Client({ connectionString: address() });
        await client.connect();
        const { rowCount } = await client.query(
          "select from pg_stat_activity where query like $1 and state = 'active' and pid <> pg_backend_pid()",
          [`%${mark}%`],
        );
        await client.end();
        return rowCount;
      })
      .toBe(0);
  });

  test("over the product's own connection nothing but SELECT 1 is sent", async () => {
    connections.set("connection://pilothouse/self", { url: address(), pingOnly: true });
    const spec = { connection: "connection://pilothouse/self" };
    expect(await run("postgres", { ...spec, query: "select 1" })).toMatchObject({ status: "healthy" });
    expect(await run("postgres", { ...spec, query: "drop table people" })).toMatchObject({
      invalid: true,
      error: "query: over connection://pilothouse/self only SELECT 1 is allowed",
    });
  });
});

const saying = (words: string | RegExp): unknown =>
  typeof words === "string" ? words : expect.stringMatching(words);

describe("exec", () => {
  const script = (text: string, more: object = {}) => run("exec", { script: text, ...more });

  test("passes when the script ends with 0, and says what it wrote", async () => {
    expect(await script("echo out; echo err >&2")).toMatchObject({
      status: "healthy",
      details: { stdout: "out", stderr: "err", exitCode: 0 },
    });
  });

  test("has its own variables and nothing of ours", async () => {
    process.env["PILOTHOUSE_SECRET"] = "hidden";
    const { details } = await script("echo $GREETING; env", {
      env: [{ name: "GREETING", value: { value: "hi" } }],
    });
    const { stdout } = details as { stdout: string };
    expect(stdout).toMatch(/^hi$/m);
    expect(stdout).not.toContain("hidden");
    expect(stdout).not.toContain("NODE_");
    delete process.env["PILOTHOUSE_SECRET"];
  });

  test.each<[string, string, string | RegExp]>([
    ["another code", "echo broken >&2; exit 3", "exit code 3: broken"],
    ["a signal", "kill -TERM $$", "ended by SIGTERM"],
    ["an unknown command", "nosuchcommand", /exit code 127: .*nosuchcommand/],
    ["a Go template", "echo {{ .name }}", "script: line 1, column 9: there is no value for .name"],
    ["nothing to run", "  ", "script: This field is required"],
  ])("fails: %s", async (_, text, words) => {
    const outcome = await script(text);
    expect([outcome.status, outcome.error]).toEqual(["unhealthy", saying(words)]);
  });

  test("much output is cut, not kept", async () => {
    const { details } = await script("yes | head -c 5000000; echo; echo end >&2");
    expect((details as { stdout: string }).stdout.length).toBeLessThan(33_000);
    expect((details as { stderr: string }).stderr).toBe("end");
  });

  /** Whether any process sleeps for so many seconds. */
  const sleeps = (seconds: string) =>
    readdirSync("/proc").some((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1") === `sleep\0${seconds}\0`;
      } catch {
        return false; // it ended meanwhile
      }
    });

  test("at its time limit the whole tree ends", async () => {
    const mark = `8${process.pid}01`;
    const outcome = await run(
      "exec",
      { script: `sleep ${mark} & (sleep ${mark} & sleep ${mark}) & wait` },
      { timeoutMs: 400 },
    );
    expect(outcome).toMatchObject({ status: "unhealthy", error: "timed out after 0.4 s" });
    await expect.poll(() => sleeps(mark)).toBe(false);
  });

  test("what it leaves behind ends with it", async () => {
    const mark = `8${process.pid}02`;
    expect(await script(`sleep ${mark} & sleep ${mark} & echo started`)).toMatchObject({ status: "healthy" });
    await expect.poll(() => sleeps(mark)).toBe(false);
  });

  test("what runs ends with a control plane that is killed", async () => {
    const mark = `8${process.pid}03`;
    const file = fileURLToPath(new URL("fixtures/exec-process.ts", import.meta.url));
    const plane = spawn(process.execPath, ["--import", "tsx", file, `sleep ${mark}; true`], {
      stdio: "ignore",
    });
    await expect.poll(() => sleeps(mark), { timeout: 15_000 }).toBe(true);
    plane.kill("SIGKILL");
    await expect.poll(() => sleeps(mark), { timeout: 5000 }).toBe(false);
  });
});

describe("icmp", () => {
  const IPUTILS = `PING 127.0.0.1 (127.0.0.1) 56(84) bytes of data.
64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=0.042 ms

--- 127.0.0.1 ping statistics ---
2 packets transmitted, 2 received, 0% packet loss, time 1012ms
rtt min/avg/max/mdev = 0.042/12.345/0.055/0.006 ms
`;
  const BUSYBOX = `--- 10.0.0.1 ping statistics ---
5 packets transmitted, 3 packets received, 40% packet loss
round-trip min/avg/max = 0.059/0.081/0.103 ms
`;
  const MACOS = `--- 10.0.0.1 ping statistics ---
3 packets transmitted, 0 packets received, 100.0% packet loss
`;
  test.each([
    [IPUTILS, { loss: 0, average: 12.345 }],
    [BUSYBOX, { loss: 40, average: 0.081 }],
    [MACOS, { loss: 100, average: null }],
    ["ping: unknown host", null],
  ])("reads what ping prints (%#)", (output, found) => {
    expect(readPing(output)).toEqual(found);
  });

  test("this machine answers itself, or it is said that there is no ping", async () => {
    const outcome = await run("icmp", { endpoint: "127.0.0.1", packetCount: 2, thresholdMillis: 1000 });
    const installed = spawnSync("sh", ["-c", "command -v ping"]).status === 0;
    if (!installed) expect(outcome.error).toBe("ping not available: the program ping is not installed here");
    else if (outcome.status === "healthy")
      expect(outcome).toMatchObject({ details: { packetLoss: 0 }, ms: expect.any(Number) });
    else expect(outcome.error).toMatch(/^ping not available: it has no right to send/);
  });

  test.each([
    ["https://github.com", 'endpoint "https://github.com" must be a host name or an address'],
    ["-f", 'endpoint "-f" must be a host name or an address'],
    ["nowhere.invalid", /ENOTFOUND|EAI_AGAIN/],
  ])("%s fails with a sentence", async (endpoint, words) => {
    const outcome = await run("icmp", { endpoint });
    expect([outcome.status, outcome.error]).toEqual(["unhealthy", saying(words)]);
  });
});

describe("dns", () => {
  let names: NameServer;
  beforeAll(async () => {
    names = await aNameServer();
  });
  afterAll(() => names.close());
  const ask = (spec: object, options = {}) =>
    run("dns", { server: "127.0.0.1", port: names.port, ...spec }, options);

  test.each<[string, object, string[]]>([
    ["A", { query: "two.test", exactreply: ["10.0.0.2", "10.0.0.1"] }, ["10.0.0.1", "10.0.0.2"]],
    ["CNAME", { query: "alias.test", exactreply: ["two.test."] }, ["two.test."]],
    ["MX", { query: "mail.test", exactreply: ["b.test. 20", "a.test. 10"] }, ["a.test. 10", "b.test. 20"]],
    ["TXT", { query: "words.test", minrecords: 1 }, ["hello world"]],
    ["NS", { query: "zone.test", exactreply: ["ns.test."] }, ["ns.test."]],
    ["PTR", { query: "10.0.0.1", exactreply: ["two.test."] }, ["two.test."]],
    ["SRV", { query: "_x._tcp.test" }, ["1 2 8080 two.test."]],
  ])("passes: %s", async (querytype, spec, records) => {
    expect(await ask({ querytype, thresholdMillis: 4000, ...spec })).toMatchObject({
      status: "healthy",
      details: { records },
    });
  });

  test.each<[string, object, string | RegExp]>([
    ["too few", { query: "two.test", minrecords: 3 }, "2 records, at least 3 expected"],
    [
      "others",
      { query: "two.test", exactreply: ["10.0.0.1"] },
      "the answer is [10.0.0.1, 10.0.0.2], expected [10.0.0.1]",
    ],
    ["no such name", { query: "absent.test" }, "absent.test does not exist"],
    ["no answer", { query: "silent.test", timeout: 0.3 }, "no answer within 0.3 s"],
    [
      "too slow",
      { query: "slow.test", thresholdMillis: 50 },
      /^took \d+ ms, more than the threshold of 50 ms$/,
    ],
  ])("fails: %s", async (_, spec, words) => {
    const outcome = await ask(spec);
    expect([outcome.status, outcome.error]).toEqual(["unhealthy", saying(words)]);
  });

  test("ends at the time limit of the run", async () => {
    expect(await ask({ query: "silent.test" }, { timeoutMs: 200 })).toMatchObject({
      error: "timed out after 0.2 s",
    });
  });
});

describe("folder", () => {
  let root = "";
  const old = new Date(Date.now() - 3 * 86_400_000);
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "folder-"));
    await mkdir(join(root, "deep/er"), { recursive: true });
    await writeFile(join(root, "new.log"), "x".repeat(100));
    await writeFile(join(root, "old.gz"), "x".repeat(5000));
    await utimes(join(root, "old.gz"), old, old);
    await writeFile(join(root, "deep/er/inner.gz"), "x");
  });
  afterAll(() => rm(root, { recursive: true }));

  test.each<[string, () => object, string[]]>([
    ["the files of a folder", () => ({ path: root, minCount: 2, maxCount: 2 }), ["new.log", "old.gz"]],
    ["with the folders inside", () => ({ path: root, recursive: true }), ["new.log", "inner.gz", "old.gz"]],
    ["a pattern", () => ({ path: `${root}/*.gz` }), ["old.gz"]],
    ["a pattern over folders", () => ({ path: `${root}/**/*.gz` }), ["inner.gz", "old.gz"]],
    ["only old ones", () => ({ path: root, filter: { minAge: "2d" } }), ["old.gz"]],
    ["only new ones", () => ({ path: root, filter: { maxAge: "1h" } }), ["new.log"]],
    ["since a time", () => ({ path: root, filter: { since: "now-1d" } }), ["new.log"]],
    ["only big ones", () => ({ path: root, filter: { minSize: "1k", maxSize: "5MB" } }), ["old.gz"]],
    ["by name", () => ({ path: root, filter: { regex: "^new\\..*$" } }), ["new.log"]],
    ["none, where there is no folder", () => ({ path: `${root}/absent`, maxCount: 0 }), []],
    ["space", () => ({ path: root, availableSize: 1, totalSize: "1k" }), ["new.log", "old.gz"]],
  ])("passes: %s", async (_, spec, names) => {
    const outcome = await run("folder", spec());
    expect(outcome).toMatchObject({ status: "healthy" });
    const { files } = outcome.details as { files: { name: string }[] };
    expect(files.map(({ name }) => name).sort()).toEqual([...names].sort());
  });

  test.each<[object, string | RegExp]>([
    [{ minCount: 3 }, "too few files: 2, at least 3 expected"],
    [{ maxCount: 1 }, "too many files: 2, at most 1 expected"],
    [{ minAge: "1h" }, /^new.log is too new: .*, at least 1h expected$/],
    [{ maxAge: "1d" }, "old.gz is too old: 3d, at most 1d expected"],
    [{ minSize: "1k" }, "new.log is too small: 100 bytes, at least 1k expected"],
    [{ maxSize: "1k" }, "old.gz is too large: 5000 bytes, at most 1k expected"],
    [{ availableSize: "9000T" }, /^available size too small: \d+ bytes, at least 9000T expected$/],
    [{ path: "s3://" }, /must name a bucket: s3:/],
    [{ filter: { since: "{{ .check.name }}" } }, /^filter.since "check" must be a time/],
    [{ filter: { since: "lately" } }, /^filter.since "lately" must be a time/],
    [{ filter: { regex: "(" } }, /^filter.regex: /],
    [{ maxAge: "soon" }, "maxAge: This field must be a duration such as 30m or 7d"],
    [{ minSize: "big" }, "minSize: This field must be a size such as 500k, 10MB or 2Gi"],
  ])("%j fails with a sentence", async (spec, words) => {
    const outcome = await run("folder", { path: root, ...spec });
    expect([outcome.status, outcome.error]).toEqual(["unhealthy", saying(words)]);
  });

  test("the result says what was found", async () => {
    const { details } = await run("folder", { path: root });
    expect(JSON.parse(JSON.stringify(details))).toMatchObject({
      count: 2,
      newest: { name: "new.log", size: 100, is_dir: false, mode: expect.stringMatching(/^06/) },
      oldest: { name: "old.gz", modified: old.toISOString() },
      smallest: { name: "new.log" },
      largest: { name: "old.gz" },
      size: expect.any(Number),
      availableSize: expect.any(Number),
    });
  });
});

describe("expressions", () => {
  const script = (text: string, more: object) => run("exec", { script: text, ...more });

  test("a test decides after the runner", async () => {
    const test = { expr: 'results.stdout == "hello"' };
    expect(await script("echo hello", { test })).toMatchObject({ status: "healthy" });
    expect(await script("echo bye", { test })).toMatchObject({
      status: "unhealthy",
      error: 'the test is not true: results.stdout == "hello"',
    });
    expect(await script("exit 1", { test: { expr: "true" } })).toMatchObject({
      status: "unhealthy",
      error: "exit code 1",
    });
  });

  test("a display makes the message, whatever comes of it", async () => {
    const display = { expr: "check.name + ' in ' + canary.namespace + ': ' + results.stdout" };
    expect(await script("echo hello", { display })).toMatchObject({
      status: "healthy",
      message: "check in default: hello",
    });
    expect(await script("echo x; exit 1", { display })).toMatchObject({
      status: "unhealthy",
      message: "check in default: x",
    });
  });

  test.each<[string, object, string | RegExp]>([
    ["no truth", { test: { expr: "1" } }, "test: the expression must be true or false, not 1"],
    ["a name there is not", { test: { expr: "reslts.stdout" } }, "test: unknown name reslts"],
    ["a syntax error", { display: { expr: "1 +" } }, /^display: line 1, column/],
    [
      "a loop",
      { test: { expr: "lists.range(90000).all(x, lists.range(90000).all(y, x + y >= 0))" } },
      "the expression took more than 2000 ms",
    ],
    ["a transform that is no object", { transform: { expr: "'a'" } }, /^error transforming result: /],
    [
      "two entries without names",
      { transform: { expr: "[{}, {}]" } },
      /^error transforming result: several entries/,
    ],
    ["a broken Go template", { test: { template: "{{ tru" } }, /^test: line 1, column 3: the action is not/],
    ["a script that throws", { display: { javascript: "nosuch" } }, /^display: line 1, column 1: Refere/],
    ["a wrong JSONPath", { display: { jsonPath: "$.[" } }, /^display: JSONPath /],
  ])("%s is an unhealthy check with a sentence", async (_, more, words) => {
    const outcome = await script("true", more);
    expect([outcome.status, outcome.error]).toEqual(["unhealthy", saying(words)]);
    expect(await script("true", { test: { expr: "true" } })).toMatchObject({ status: "healthy" });
  });

  test("an entry without a name changes the result", async () => {
    const transform = {
      expr: "{'message': 'made', 'detail': {'max': 7}, 'data': {'extra': 1}, 'duration': 12}.toJSON()",
    };
    expect(
      await script("echo x", { transform, test: { expr: "extra == 1 && results.stdout == 'x'" } }),
    ).toMatchObject({
      status: "healthy",
      message: "made",
      details: { max: 7 },
      ms: 12,
    });
    const gone = await script("echo x", { transform: { expr: "{'detail': '$delete'}" } });
    expect(gone).toMatchObject({ status: "healthy" });
    expect(gone.details).toBeUndefined();
  });

  test("entries with names become checks of their own", async () => {
    const transform = {
      expr: "['a', 'b'].map(n, {'name': n, 'pass': n == 'a', 'message': 'is ' + n, 'labels': {'n': n}, 'detail': {'n': n}})",
    };
    const { transformed, details } = await script("true", { transform });
    expect(details).toBeUndefined();
    expect(transformed).toMatchObject([
      { name: "a", labels: { n: "a" }, outcome: { status: "healthy", message: "is a", details: { n: "a" } } },
      { name: "b", outcome: { status: "unhealthy" } },
    ]);
    expect((await script("true", { transform: { expr: "[]" } })).transformed).toBeUndefined();
  });

  test("an http answer is seen with code, headers, times, text and JSON", async () => {
    const port = await listen(
      createHttpServer((_, response) =>
        response
          .writeHead(201, { "content-type": "application/json", "x-one": "1" })
          .end('{"items": [{"n": 5}]}'),
      ),
    );
    const expr = `code == 201 && headers["X-One"] == "1" && json.items[0].n + 1 == 6 && content.contains("items")
      && elapsed < duration("5s") && sslAge < Duration("1s") && duration < 5000 && results == {}`;
    expect(await run("http", { url: `http://127.0.0.1:${port}/`, test: { expr } })).toMatchObject({
      status: "healthy",
    });
  });

  test("with a test an answer need not be JSON, and json is an empty map", async () => {
    const port = await listen(
      createHttpServer((_, response) =>
        response.writeHead(200, { "content-type": "application/json" }).end("{"),
      ),
    );
    const url = `http://127.0.0.1:${port}/`;
    expect(await run("http", { url, test: { expr: "json.?a.orValue('none') == 'none'" } })).toMatchObject({
      status: "healthy",
    });
  });

  test("rows of a query are seen with their types", async () => {
    const query = `select 1 as whole, 2::bigint as big, 1.5::numeric as part, true as yes, '{"a": [1]}'::jsonb as doc,
      '2024-01-01T00:00:00Z'::timestamptz as at, null as nothing`;
    const expr = `results.count == 1 && results.rows[0].whole + results.rows[0].big == 3 && results.rows[0].part == 1.5
      && results.rows[0].yes && results.rows[0].doc.a[0] == 1 && results.rows[0].at.getFullYear() == 2024
      && results.rows[0].nothing == null`;
    expect(await run("postgres", { url: inject("postgres"), query, test: { expr } })).toMatchObject({
      status: "healthy",
    });
  });

  test("a url and a body are filled from the environment of the check", async () => {
    let seen = "";
    const port = await listen(
      createHttpServer((request, response) => {
        request.on("data", (chunk) => (seen = `${request.url} ${chunk}`)).on("end", () => response.end());
      }),
    );
    const env = [{ name: "WHO", value: "me" }];
    const spec = {
      url: `http://127.0.0.1:${port}/$(WHO)`,
      method: "POST",
      body: "hi $(WHO)",
      templateBody: true,
      env,
    };
    expect(await run("http", spec)).toMatchObject({ status: "healthy" });
    expect(seen).toBe("/me hi me");
    expect(await run("http", { url: "http://127.0.0.1/{{ .x }}" })).toMatchObject({
      invalid: true,
      error: "url: line 1, column 21: there is no value for .x",
    });
  });
});

describe("a suite", () => {
  test("all checks of a canary are one", async () => {
    const spec = {
      resultMode: "junit",
      interval: 30,
      exec: [
        { name: "good", script: "true" },
        { name: "bad", script: "exit 2" },
      ],
      tcp: [{ name: "odd", endpoint: "x" }],
    };
    const outcome = await attempt(
      { type: "junit", namespace: "default", name: "all", spec },
      { timeoutMs: 5000, stop: never, resolveConnection: () => Promise.reject(new Error("none")) },
    );
    expect(outcome).toMatchObject({
      status: "unhealthy",
      message: "1 of 3 passed",
      error: 'bad: exit code 2\nodd: endpoint "x" must be host:port',
      details: {
        name: "all",
        passed: 1,
        failed: 2,
        tests: [
          { classname: "exec", name: "good", status: "passed" },
          { classname: "exec", name: "bad", status: "failed", error: "exit code 2" },
          { classname: "tcp", name: "odd", status: "failed" },
        ],
      },
    });
  });
});

test("an unknown type and a bad spec are unhealthy checks", async () => {
  expect(await run("carrierPigeon", {})).toMatchObject({
    invalid: true,
    error: "unknown check type carrierPigeon",
  });
  expect(await run("constructor", {})).toMatchObject({ error: "unknown check type constructor" });
  expect(await run("http", { url: 7 })).toMatchObject({
    invalid: true,
    error: "url: This field must be text",
  });
  expect(await run("http", { url: "http://127.0.0.1:1", icon: null })).toMatchObject({
    error: expect.stringMatching("ECONNREFUSED"),
  });
});
