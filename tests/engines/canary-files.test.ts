/**
 * Real canaries of other people, end to end: each file is imported, its checks are made by the engine and run once, with
 * hosts pointed at servers of this machine. What is named `_pass` passes, what is named `_fail` fails for that reason.
 */
import { readdirSync, readFileSync } from "node:fs";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect, createServer as createTcpServer, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import tls from "node:tls";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { syncCanaries } from "#server/engines/checks/index.ts";
import type { Outcome } from "#server/engines/checks/runner.ts";
import { inTransaction } from "#server/db/pool.ts";
import { applyReading } from "#server/import/apply.ts";
import { readImport } from "#server/import/read.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { available, startServer, type ServerName, type TestServer } from "#tests/support/servers.ts";
import { aPlane, type Plane } from "./checks-support.ts";
import { certificate, key } from "./fixtures/localhost-certificate.ts";
import { aMongoServer } from "./fixtures/mongo-server.ts";

const folder = fileURLToPath(new URL("../fixtures/canaries", import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
const NAMES: ServerName[] = ["mariadb", "redis", "dnsmasq", "alertmanager"];
const missing = NAMES.filter((name) => !available(name));

/** What each file's checks come to; a sentence is why one fails, `null` that it passes. */
const EXPECTED: Record<string, Record<string, string | RegExp | null>> = {
  "alertmanager_mix.yaml": { "alertmanager-check": null },
  "cel.yaml": { "cel-test": null },
  "dns_pass.yaml": {
    "A record query": null,
    "ptr query": null,
    "cname query": null,
    "mx query": null,
    "txt query": null,
    "NS query": null,
  },
  "elasticsearch_pass.yaml": { elasticsearch_pass: null },
  "exec_env_pass.yaml": { "exec-env": null },
  "exec_fail.yaml": { "exec-fail-check": 'the test is not true: results.stdout == "hello"' },
  "exec_pass.yaml": { "exec-pass-check": null },
  "folder_pass.yaml": {
    "min count glob": null,
    "min count doublestar": null,
    "Check for updated /etc files": null,
    "folder-nil-handling": null,
  },
  "http-check-labels.yaml": { "http-pass-single": null, "http-pass-multiple": null },
  "http_auth.yaml": { "basic auth fail": null, "basic auth pass": null },
  "http_fail.yaml": {
    "http fail response code check": "expected 500 to be in [200]",
    "http fail test expr check": "the test is not true: code == 500",
  },
  "http_no_auth_pass.yaml": { "http-no-auth": null },
  "http_pass_single.yaml": {
    "http-deprecated-endpoint": null,
    "http-minimal-check": null,
    "http-param-tests": null,
    "http-expr-tests": null,
    "http-headers": null,
  },
  "http_timeout_fail.yaml": { "http fail timeout": "no answer within the threshold of 100 ms" },
  "icmp_fail.yaml": { "icmp 1": 'endpoint "https://github.com" must be a host name or an address' },
  "metrics.yaml": { "http-minimal-check": null },
  "mongo_pass.yaml": { "mongo ping check": null },
  "mysql_pass.yaml": { "mysql ping check": null },
  "posgres_stateful_pass.yaml": { "postgres processes new": null },
  "postgres_fail.yaml": { "postgres blank password": "the server asks for a password and none is given" },
  "postgres_pass.yaml": { "postgres schemas check": null },
  "redis_pass.yaml": { "redis ping check": null },
  "tcp.yaml": { "flanksource website": null },
};

const listening: Server[] = [];
async function listen(server: Server): Promise<number> {
  listening.push(server);
  server.listen(0, "localhost");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** TLS in front of a PostgreSQL that has none: the client asks for it, and the rest is passed on as it comes. */
const withTls = (host: string, port: number) =>
  createTcpServer((client) => {
    client.once("data", () => {
      client.write("S");
      const secure = new tls.TLSSocket(client, { isServer: true, cert: certificate, key });
      const database = connect({ host, port });
      secure.pipe(database).pipe(secure);
      for (const end of [secure, database]) end.on("error", () => end.destroy());
      secure.on("close", () => database.destroy());
    });
  });

/** The few pages of httpbin that the files ask for. */
const httpbin = () =>
  createHttpsServer({ cert: certificate, key }, (request, response) => {
    const [, page = "", word = ""] = (request.url ?? "").split("/");
    const { authorization, "user-agent": agent } = request.headers;
    const json = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (page === "status") return response.writeHead(Number(word)).end();
    if (page === "delay") return setTimeout(() => json(200, {}), Number(word) * 1000);
    if (page === "basic-auth") {
      const expected = `Basic ${Buffer.from("hello:world").toString("base64")}`;
      return authorization === expected ? json(200, { authenticated: true }) : json(401, {});
    }
    const headers = { Host: request.headers.host, "User-Agent": agent };
    return json(200, { headers: { ...headers, ...(authorization ? { Authorization: authorization } : {}) } });
  });

describe.skipIf(missing.length > 0)(
  missing.length === 0
    ? "canaries of other people"
    : `canaries of other people (skipped: needs ${missing.join(", ")})`,
  () => {
    let db: TestDatabase;
    let plane: Plane;
    let hosts: [string | RegExp, string][] = [];
    const stops: (() => unknown)[] = [];
    const authority = tls.createSecureContext;

    const server = async (name: ServerName, settings = ""): Promise<TestServer> => {
      const started = await startServer(name, { settings });
      stops.push(() => started.stop());
      return started;
    };

    beforeAll(async () => {
      // The certificate of the test's own server is one that this machine trusts.
      tls.createSecureContext = (options) =>
        authority({ ...options, ca: options?.ca ?? [...tls.rootCertificates, certificate] });
      db = await createDatabase();
      plane = await aPlane(db);
      const [mariadb, redis, dnsmasq, alertmanager] = await Promise.all([
        server("mariadb"),
        server("redis", "user default on nopass ~* +@all"),
        server("dnsmasq", NAMES_OF_OTHERS),
        server("alertmanager"),
      ]);
      const mysql = await import("mysql2/promise");
      const admin = await mysql.createConnection(mariadb.url);
      await admin.query("create database mysqldb");
      await admin.query("create user mysqladmin@'%' identified by 'admin123'");
      await admin.query("grant all on mysqldb.* to mysqladmin@'%'");
      await admin.end();
      const postgres = new URL(inject("postgres"));
      const superuser = new pg.Client({ connectionString: inject("postgres") });
      await superuser.connect();
      await superuser.query("drop role if exists postgresadmin");
      await superuser.query("create role postgresadmin login superuser password 'admin123'");
      await superuser.query("drop role if exists pqgotest");
      await superuser.query("create role pqgotest login password 'not blank'");
      await superuser.end();
      const mongo = await aMongoServer({ username: "mongoadmin", password: "secret" });
      stops.push(() => mongo.close());
      await fetch(`${alertmanager.url}/api/v2/alerts`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify([
          {
            labels: { alertname: "DiskFull", namespace: "shop", pod: "db-0" },
            annotations: { summary: "97 %" },
          },
          { labels: { alertname: "KubeSchedulerDown", namespace: "kube-system" } },
        ]),
      });
      const search = createHttpServer((_, response) =>
        response
          .writeHead(200, { "content-type": "application/json" })
          .end('{"hits": {"total": {"value": 1}, "hits": []}}'),
      );
      hosts = [
        [/https:\/\/httpbin\.demo\.aws\.flanksource\.com/g, `https://localhost:${await listen(httpbin())}`],
        ["https://alertmanager.demo.aws.flanksource.com", alertmanager.url],
        ["http://elasticsearch.canaries.svc.cluster.local:9200", `http://localhost:${await listen(search)}`],
        ["mysql.canaries.svc.cluster.local:3306", `127.0.0.1:${mariadb.port}`],
        ["mongo.canaries.svc.cluster.local:27017", `127.0.0.1:${mongo.port}`],
        ["redis.canaries.svc.cluster.local:6379", `127.0.0.1:${redis.port}`],
        [/postgres\.canaries\.svc\.cluster\.local:5432/g, postgres.host],
        [
          "user=$(username)",
          `host=localhost port=${await listen(withTls(postgres.hostname, Number(postgres.port)))} user=$(username)`,
        ],
        ["www.flanksource.com:80", `localhost:${await listen(createHttpServer())}`],
        [/server: [18][.]\S+/g, "server: 127.0.0.1"],
        [/port: 53\b/g, `port: ${dnsmasq.port}`],
      ];
    });
    afterAll(async () => {
      tls.createSecureContext = authority;
      for (const each of listening) each.close();
      await plane.end();
      await db.drop();
      for (const stop of stops) await stop();
    });

    test("every file is expected to come to something", () => {
      expect(Object.keys(EXPECTED).sort()).toEqual([...files].sort());
    });

    test.each(files)("%s", async (file) => {
      const text = hosts.reduce(
        (whole, [from, to]) => whole.replaceAll(from, () => to),
        readFileSync(join(folder, file), "utf8"),
      );
      const report = await inTransaction(db.pool, (client) =>
        applyReading(client, readImport(text), { file, source: "UI" }),
      );
      expect(report.documents.map(({ status, reason }) => [status, reason])).toEqual(
        report.documents.map(() => ["applied", null]),
      );
      await syncCanaries(db.pool, () => new Date());
      const { rows } = await db.pool.query<{ id: string; name: string }>(
        "select id, name from public.checks where deleted_at is null order by name",
      );
      const outcomes: Record<string, Outcome> = {};
      for (const { id, name } of rows) outcomes[name] = (await plane.checks.run(id))!.outcome;
      await db.pool.query("delete from public.canaries");

      const found = Object.fromEntries(
        Object.entries(outcomes).map(([name, { status, error }]) => [
          name,
          status === "healthy" ? null : error,
        ]),
      );
      const expected = Object.entries(EXPECTED[file] ?? {}).map(([name, words]) => [
        name,
        words instanceof RegExp ? expect.stringMatching(words) : words,
      ]);
      expect(found).toEqual(Object.fromEntries(expected));
    });
  },
);

/** What the name servers of the world say to the questions of dns_pass.yaml. */
const NAMES_OF_OTHERS = `host-record=1.2.3.4.nip.io,1.2.3.4
host-record=dns.google,8.8.8.8
local=/dns.google/
ptr-record=1.1.1.1.in-addr.arpa,one.one.one.one
mx-host=flanksource.com,aspmx.l.google.com,1
mx-host=flanksource.com,alt1.aspmx.l.google.com,5
mx-host=flanksource.com,alt2.aspmx.l.google.com,5
mx-host=flanksource.com,aspmx3.googlemail.com,10
mx-host=flanksource.com,aspmx2.googlemail.com,10
txt-record=flanksource.com,hello
${["ns-91.awsdns-11.com", "ns-908.awsdns-49.net", "ns-1450.awsdns-53.org", "ns-1896.awsdns-45.co.uk"]
  .map((name) => `dns-rr=flanksource.com,2,${wire(name)}`)
  .join("\n")}`;

/** A name as DNS writes it, in hex. */
function wire(name: string): string {
  const labels = name
    .split(".")
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]).toString("hex");
}
