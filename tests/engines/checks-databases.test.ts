/** The runners of databases and directories against real servers, where Debian has one. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mssqlOptions } from "#server/engines/checks/runners/mssql-address.ts";
import { mysqlOptions } from "#server/engines/checks/runners/mysql-address.ts";
import { available, named, started } from "#tests/support/servers.ts";
import { aMongoServer, type MongoServer } from "./fixtures/mongo-server.ts";
import { aSqlServer, type SqlServer } from "./fixtures/sql-server.ts";
import { connections, run } from "./run-check.ts";

const saying = (words: string | RegExp): unknown =>
  typeof words === "string" ? words : expect.stringMatching(words);

describe.skipIf(!available("mariadb"))(named("mariadb", "mysql"), () => {
  const server = started("mariadb");
  const mysql = (spec: object, options = {}) => run("mysql", spec, options);

  test.each<[string, () => object]>([
    ["a query", () => ({ url: server.url, query: "select 1 union select 2", results: 2 })],
    ["SELECT 1 when there is none", () => ({ url: server.url, results: 1 })],
    ["no rows, when none are expected", () => ({ url: server.url, query: "select 1 from dual where false" })],
    ["a statement that has no rows", () => ({ url: server.url, query: "set @a = 1" })],
    [
      "an address as Go's driver writes it",
      () => ({
        url: `$(username):$(password)@tcp(${server.host}:${server.port})/test?parseTime=true`,
        username: { value: server.username },
        password: { value: server.password },
      }),
    ],
    [
      "credentials beside the URL",
      () => ({
        url: `mysql://${server.host}:${server.port}/test`,
        username: server.username,
        password: server.password,
      }),
    ],
  ])("passes: %s", async (_, spec) => {
    expect(await mysql(spec())).toMatchObject({ status: "healthy" });
  });

  test.each<[string, () => object, string | RegExp]>([
    ["too few rows", () => ({ url: server.url, results: 3 }), "Query returned 1 rows, expected 3"],
    [
      "a query that fails",
      () => ({ url: server.url, query: "select * from missing" }),
      /'test.missing' doesn't exist/,
    ],
    [
      "endless rows",
      () => ({ url: server.url, query: "select * from seq_1_to_100000000" }),
      /^Query returned more than 100000 rows$/,
    ],
    [
      "too much in a row",
      () => ({
        url: server.url,
        query: "select repeat('x', 15000000), repeat('x', 15000000), repeat('x', 15000000)",
      }),
      "Query returned more than 32 MiB",
    ],
    [
      "a wrong password",
      () => ({ url: `mysql://tester:wrong-word@${server.host}:${server.port}/test` }),
      /^Access denied for user 'tester'/,
    ],
    ["nobody there", () => ({ url: "mysql://x@127.0.0.1:1/x" }), /ECONNREFUSED/],
    ["an odd address", () => ({ url: "postgres://x" }), /^url must be mysql:\/\//],
    [
      "TLS where there is none",
      () => ({ url: `${server.url}?tls=true` }),
      /does not support secure connection/,
    ],
    [
      "our files",
      () => ({ url: server.url, query: "load data local infile '/etc/passwd' into table x" }),
      /.+/,
    ],
  ])("fails: %s", async (_, spec, words) => {
    const outcome = await mysql(spec());
    expect([outcome.status, outcome.error]).toEqual(["unhealthy", saying(words)]);
    expect(JSON.stringify(outcome)).not.toMatch(/only-for-this-run|wrong-word/);
  });

  test("a stored connection gives the address and the credentials", async () => {
    connections.set("connection://db", {
      url: `mysql://${server.host}:${server.port}/test`,
      username: server.username,
      password: server.password,
    });
    expect(await mysql({ connection: "connection://db" })).toMatchObject({ status: "healthy" });
  });

  test("rows are seen with their types", async () => {
    await mysql({ url: server.url, query: "create table if not exists docs (doc json)" });
    await mysql({ url: server.url, query: `insert into docs values ('{"a": [1]}')` });
    const query = `select 1 whole, 9007199254740991 big, 1.5 part, timestamp('2024-01-01 00:00:00') at, null nothing, doc
      from docs limit 1`;
    const expr = `results.count == 1 && results.rows[0].whole + 1 == 2 && results.rows[0].big > 9007199254740000
      && results.rows[0].part == 1.5 && results.rows[0].at.getFullYear() == 2024 && results.rows[0].nothing == null
      && results.rows[0].doc.a[0] == 1`;
    const outcome = await mysql({ url: server.url, query, test: { expr } });
    expect([outcome.status, outcome.error]).toEqual(["healthy", undefined]);
  });

  test("a query that hangs ends at the time limit, and does not go on in the server", async () => {
    const outcome = await mysql(
      { url: server.url, query: "select sleep(30) /* hang */" },
      { timeoutMs: 400 },
    );
    expect(outcome.error).toMatch(/timed out after 0.4 s|max_statement_time|timeout/i);
    const query =
      "select 1 from information_schema.processlist where info like '%sleep(30)%' and id <> connection_id()";
    await expect
      .poll(async () => (await mysql({ url: server.url, query })).details, { timeout: 5000 })
      .toEqual({ count: 0 });
  });
});

test.each<[string, object]>([
  [
    "me:p@ss/w:rd@tcp(db:3307)/x",
    { user: "me", password: "p@ss/w:rd", host: "db", port: 3307, database: "x" },
  ],
  ["tcp(db)/", { host: "db", port: 3306, user: "filled", password: "p/w@rd" }],
  ["$(username):$(password)@tcp([::1]:1)/x", { user: "filled", password: "p/w@rd", host: "::1", port: 1 }],
  ["me@unix(/run/my.sock)/x", { socketPath: "/run/my.sock", user: "me", database: "x" }],
  ["/x", { host: "localhost", port: 3306, database: "x" }],
  [
    "mysql://$(username):$(password)@[::1]:1/x?tls=skip-verify",
    { user: "filled", password: "p/w@rd", host: "::1", ssl: { rejectUnauthorized: false } },
  ],
])("the address %s of MySQL", (url, expected) => {
  expect(mysqlOptions({ url, username: "filled", password: "p/w@rd" })).toMatchObject(expected);
});

describe("mssql, against a counterpart that speaks its protocol (no SQL Server can be had here)", () => {
  let server: SqlServer;
  const login = { username: "tester", password: "päss;word" };
  beforeAll(async () => {
    server = await aSqlServer({
      ...login,
      answer(query) {
        if (query.includes("missing")) return { error: "Invalid object name 'missing'." };
        if (query.includes("hang")) return null;
        return { column: "word", rows: query.includes("many") ? Array(100_001).fill("x") : ["one", "two"] };
      },
    });
  });
  afterAll(() => server.close());
  const mssql = (spec: object, options = {}) =>
    run("mssql", { url: `sqlserver://127.0.0.1:${server.port}?encrypt=disable`, ...login, ...spec }, options);

  test("passes with enough rows, which expressions see", async () => {
    expect(await mssql({ results: 2, test: { expr: "results.rows[1].word == 'two'" } })).toMatchObject({
      status: "healthy",
      details: { count: 2 },
    });
  });

  test.each<[string, object, string | RegExp]>([
    ["too few rows", { results: 3 }, "Query returned 2 rows, expected 3"],
    ["too many", { query: "many" }, "Query returned more than 100000 rows"],
    ["a query that fails", { query: "select missing" }, "Invalid object name 'missing'."],
    ["a wrong password", { password: "wrong-word" }, "Login failed for user 'tester'."],
    ["nobody there", { url: "sqlserver://127.0.0.1:1" }, /ECONNREFUSED/],
    ["TLS where there is none", { url: "SAME" }, /^the server does not encrypt/],
    ["an odd address", { url: "mysql" }, /^url must be sqlserver:\/\//],
  ])("fails: %s", async (_, spec, words) => {
    const url =
      (spec as { url?: string }).url === "SAME" ? { url: `sqlserver://127.0.0.1:${server.port}` } : {};
    const outcome = await mssql({ ...spec, ...url });
    expect([outcome.status, outcome.error]).toEqual(["unhealthy", saying(words)]);
    expect(JSON.stringify(outcome)).not.toMatch(/päss|wrong-word/);
  });

  test("a query that hangs ends at the time limit, and its connection with it", async () => {
    expect(await mssql({ query: "hang" }, { timeoutMs: 300 })).toMatchObject({ status: "unhealthy" });
    await expect.poll(() => server.open.size).toBe(0);
  });
});

test.each<[string, object]>([
  [
    "sqlserver://me:p%40ss@db:1434?database=x",
    { server: "db", options: { port: 1434, database: "x", encrypt: true } },
  ],
  ["sqlserver://$(username):$(password)@db/inst", { server: "db", options: { instanceName: "inst" } }],
  [
    "Server=tcp:db,1434;User Id=$(username);Password=$(password);Initial Catalog=x;TrustServerCertificate=True",
    {
      server: "db",
      options: { port: 1434, database: "x", trustServerCertificate: true },
      authentication: { options: { userName: "filled", password: "p;w" } },
    },
  ],
])("the address %s of SQL Server", (url, expected) => {
  expect(mssqlOptions({ url, username: "filled", password: "p;w" })).toMatchObject(expected);
});

describe.skipIf(!available("redis"))(named("redis"), () => {
  const server = started("redis");
  const open = () => ({ username: server.username, password: server.password });

  test.each<[string, () => object]>([
    ["a URL with credentials", () => ({ url: server.url })],
    ["an address and credentials", () => ({ addr: `${server.host}:${server.port}`, ...open(), db: 0 })],
    [
      "a URL to be filled",
      () => ({ url: `redis://$(username):$(password)@${server.host}:${server.port}/1`, ...open() }),
    ],
  ])("passes: %s", async (_, spec) => {
    const outcome = await run("redis", spec());
    expect([outcome.status, outcome.error]).toEqual(["healthy", undefined]);
  });

  test.each<[string, () => object, string | RegExp]>([
    [
      "a wrong password",
      () => ({ addr: `${server.host}:${server.port}`, ...open(), password: "wrong-word" }),
      /^WRONGPASS/,
    ],
    ["no password", () => ({ addr: `${server.host}:${server.port}` }), /^NOAUTH/],
    ["a database that is not there", () => ({ url: server.url, db: 999 }), "ERR DB index is out of range"],
    ["nobody there", () => ({ addr: "127.0.0.1:1" }), /ECONNREFUSED/],
    ["TLS where there is none", () => ({ url: `rediss://${server.host}:${server.port}`, ...open() }), /.+/],
    ["an odd address", () => ({ url: "http://x" }), /^url must be redis:\/\//],
    ["two addresses", () => ({ url: "redis://x", addr: "x" }), "url: url and addr cannot be given together"],
    ["no address", () => ({}), "url: This field is required"],
  ])("fails: %s", async (_, spec, words) => {
    const outcome = await run("redis", spec(), { timeoutMs: 1500 });
    expect([outcome.status, outcome.error]).toEqual(["unhealthy", saying(words)]);
    expect(JSON.stringify(outcome)).not.toMatch(/only-for-this-run|wrong-word/);
  });
});

describe("mongodb, against a counterpart that speaks its protocol (no MongoDB can be had here)", () => {
  const login = { username: "tester", password: "p/ss@w:rd" };
  let primary: MongoServer;
  let secondary: MongoServer;
  beforeAll(async () => {
    primary = await aMongoServer(login);
    secondary = await aMongoServer({ ...login, primary: false });
  });
  afterAll(() => {
    primary.close();
    secondary.close();
  });
  const at = (server: MongoServer) =>
    `mongodb://$(username):$(password)@127.0.0.1:${server.port}/?authSource=admin`;

  test("passes when a primary answers whoever signed in", async () => {
    const outcome = await run("mongodb", { url: at(primary), ...login });
    expect([outcome.status, outcome.error]).toEqual(["healthy", undefined]);
    const beside = await run("mongodb", { url: `mongodb://127.0.0.1:${primary.port}`, ...login });
    expect([beside.status, beside.error]).toEqual(["healthy", undefined]);
  });

  test.each<[string, () => object, string | RegExp, number]>([
    [
      "a wrong password",
      () => ({ url: at(primary), ...login, password: "wrong-word" }),
      "Authentication failed.",
      9000,
    ],
    ["nobody in", () => ({ url: `mongodb://127.0.0.1:${primary.port}` }), /requires authentication/, 9000],
    [
      "no primary",
      () => ({ url: `${at(secondary)}&replicaSet=set`, ...login }),
      /^no primary answered within 0.48 s$/,
      600,
    ],
    ["nobody there", () => ({ url: "mongodb://127.0.0.1:1" }), /ECONNREFUSED|no primary/, 1000],
    ["an odd address", () => ({ url: "http://x" }), /^url must be mongodb:\/\//, 9000],
    [
      "an option that nobody knows",
      () => ({ url: "mongodb://x/?nonsense=1" }),
      /^url: option nonsense is not supported/,
      9000,
    ],
  ])("fails: %s", async (_, spec, words, timeoutMs) => {
    const outcome = await run("mongodb", spec(), { timeoutMs });
    expect([outcome.status, outcome.error]).toEqual(["unhealthy", saying(words)]);
    expect(JSON.stringify(outcome)).not.toMatch(/p\/ss|wrong-word/);
  });
});

describe.skipIf(!available("slapd"))(named("slapd", "ldap"), () => {
  const server = started("slapd");
  const ldap = (spec: object) =>
    run("ldap", {
      url: server.url,
      username: server.username,
      password: server.password,
      bindDN: "ou=people,dc=example,dc=org",
      userSearch: "(objectClass=inetOrgPerson)",
      ...spec,
    });

  test("passes when it lets us in and finds somebody", async () => {
    expect(await ldap({})).toMatchObject({ status: "healthy", details: { count: 2 } });
    expect(await ldap({ userSearch: "(uid=ann)" })).toMatchObject({ details: { count: 1 } });
    const ann = "uid=ann,ou=people,dc=example,dc=org";
    expect(await ldap({ username: { value: ann }, test: { expr: "results.count == 2" } })).toMatchObject({
      status: "healthy",
    });
  });

  test.each<[string, object, string | RegExp]>([
    [
      "nobody found",
      { userSearch: "(uid=nobody)" },
      "no entry below ou=people,dc=example,dc=org matches (uid=nobody)",
    ],
    ["no such place", { bindDN: "ou=x,dc=example,dc=org" }, /^search: NoSuchObject/],
    ["a wrong password", { password: "wrong-word" }, /^bind: InvalidCredentials/],
    ["a name without a password", { password: "" }, "password: it is needed beside a username"],
    ["no filter", { userSearch: "((" }, /^search: /],
    ["nobody there", { url: "ldap://127.0.0.1:1" }, /ECONNREFUSED/],
    ["TLS where there is none", { url: "ldaps://127.0.0.1:PORT", skipTLSVerify: true }, /.+/],
    ["an odd address", { url: "http://x" }, /^url must be ldap:\/\//],
  ])("fails: %s", async (_, spec, words) => {
    const { url = server.url } = spec as { url?: string };
    const outcome = await ldap({ ...spec, url: url.replace("PORT", String(server.port)) });
    expect([outcome.status, outcome.error]).toEqual(["unhealthy", saying(words)]);
    expect(JSON.stringify(outcome)).not.toMatch(/only-for-this-run|wrong-word/);
  });
});
