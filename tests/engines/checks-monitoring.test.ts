/** Checks that ask monitoring and search systems: Prometheus and Alertmanager as Debian has them, counterparts else. */
import { createServer, type RequestListener } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { matchers } from "#server/engines/checks/runners/alertmanager.ts";
import { available, named, started } from "#tests/support/servers.ts";
import { aBench } from "./runner-support.ts";

const { run, listen, connections } = aBench();

describe.skipIf(!available("prometheus"))(named("prometheus"), () => {
  const server = started("prometheus");
  const prometheus = (spec: object) => run("prometheus", { url: server.url, ...spec });

  test("a vector is seen with its labels, the first result's become the check's", async () => {
    await expect
      .poll(() => prometheus({ query: "up" }), { timeout: 20_000 })
      .toMatchObject({
        details: { count: 1 },
      });
    const test = { expr: "value == 1.0 && firstResult.job == 'prometheus' && results[0].value == 1" };
    const outcome = await prometheus({ query: "up", test, display: { expr: "results[0].instance" } });
    const instance = `127.0.0.1:${server.port}`;
    expect(outcome).toMatchObject({
      status: "healthy",
      message: instance,
      labels: { job: "prometheus", instance },
      details: { value: 1, results: [{ value: 1, job: "prometheus" }] },
    });
    expect(outcome.labels).not.toHaveProperty("__name__");
  });

  test("a number is a result without labels; nothing is no failure", async () => {
    expect(await prometheus({ query: "40 + 2", test: { expr: "value == 42.0" } })).toMatchObject({
      status: "healthy",
      labels: {},
    });
    expect(await prometheus({ query: "no_such_metric" })).toMatchObject({
      status: "healthy",
      details: { count: 0, results: [] },
    });
    expect(await prometheus({ query: "no_such_metric", test: { expr: "results.size() > 0" } })).toMatchObject(
      {
        status: "unhealthy",
      },
    );
  });

  test("values of the environment are filled into the query", async () => {
    const env = [{ name: "n", value: 6 }];
    expect(await prometheus({ query: "$(n) * 7", env, test: { expr: "value == 42.0" } })).toMatchObject({
      status: "healthy",
    });
  });

  test.each([
    [{ query: "up[1m]" }, "the query must yield an instant vector or a number, it yields a matrix"],
    [{ query: "up{" }, /^expected 400 to be 200\.\.299: invalid parameter "query".*parse error/],
    [{ query: " " }, "query: This field is required"],
    [{ query: "1", url: "http://127.0.0.1:1" }, /ECONNREFUSED/],
  ])("%j fails with a sentence", async (spec, words) => {
    const outcome = await prometheus(spec);
    expect([outcome.status, outcome.error]).toEqual(["unhealthy", expect.stringMatching(words)]);
  });
});

describe.skipIf(!available("alertmanager"))(named("alertmanager"), () => {
  const server = started("alertmanager");
  beforeAll(async () => {
    const alert = (alertname: string, labels: object, annotations: object = {}) => ({
      labels: { alertname, ...labels },
      annotations,
    });
    const alerts = [
      alert("DiskFull", { namespace: "shop", node: "n1", pod: "db-0", container: "db" }, { summary: "92 %" }),
      alert("KubeSchedulerDown", { namespace: "kube-system" }, { description: "gone" }),
      alert("Slow", { namespace: "elastic-system", deployment: "search", pod: "x" }, { message: "2 s" }),
    ];
    const posted = await fetch(`${server.url}/api/v2/alerts`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(alerts),
    });
    expect(posted.status).toBe(200);
  });
  const names = async (spec: object) => {
    const { status, details } = await run("alertmanager", { url: server.url, ...spec });
    expect(status).toBe("healthy");
    return (details as { alerts: { name: string }[] }).alerts.map(({ name }) => name).sort();
  };

  test("alerts are seen with names that say what they are about", async () => {
    await expect
      .poll(() => names({}), { timeout: 10_000 })
      .toEqual(["DiskFull/shop/n1/db-0/db", "KubeSchedulerDown/kube-system", "Slow/elastic-system/search"]);
    const { details } = await run("alertmanager", { url: server.url, alerts: ["DiskFull"] });
    expect(details).toEqual({
      alerts: [
        {
          name: "DiskFull/shop/n1/db-0/db",
          message: "92 %",
          labels: { alertname: "DiskFull", namespace: "shop", node: "n1", pod: "db-0", container: "db" },
          annotations: { summary: "92 %" },
          fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
        },
      ],
    });
  });

  test.each<[object, string[]]>([
    [
      { alerts: [".*"], ignore: ["KubeScheduler.*"] },
      ["DiskFull/shop/n1/db-0/db", "Slow/elastic-system/search"],
    ],
    [{ alerts: ["Disk.*", "Kube.*"] }, ["DiskFull/shop/n1/db-0/db", "KubeSchedulerDown/kube-system"]],
    [{ exclude_filters: { namespace: "elastic-system" }, ignore: ["Kube.*"] }, ["DiskFull/shop/n1/db-0/db"]],
    [{ filters: { namespace: "shop|kube-.*" }, alerts: ["Kube.+"] }, ["KubeSchedulerDown/kube-system"]],
  ])("%j", async (spec, expected) => {
    expect(await names(spec)).toEqual(expected);
  });

  test("a transform makes a check of each", async () => {
    const transform = { expr: "results.alerts.map(r, {'name': r.name, 'labels': r.labels}).toJSON()" };
    const { transformed } = await run("alertmanager", { url: server.url, transform });
    expect(transformed!.map(({ name }) => name)).toHaveLength(3);
  });

  test("an expression that is none is Alertmanager's own error", async () => {
    expect(await run("alertmanager", { url: server.url, filters: { namespace: "(" } })).toMatchObject({
      status: "unhealthy",
      error: expect.stringMatching(/^expected 400 to be 200\.\.299: bad matcher|missing closing/),
    });
  });
});

test("what stands in a matcher cannot become another one", () => {
  expect(matchers({ exclude_filters: { job: 'a",b="c' } })).toEqual(['job!="a\\",b=\\"c"']);
});

describe("elasticsearch and opensearch, against a counterpart of the search API", () => {
  let url = "";
  let answer: (body: unknown) => [number, unknown] = () => [200, {}];
  const seen: { url?: string; method?: string; authorization?: string; body: unknown }[] = [];
  const api: RequestListener = (request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk));
    request.on("end", () => {
      const body: unknown = JSON.parse(text);
      const { authorization } = request.headers;
      seen.push({
        url: request.url,
        method: request.method,
        ...(authorization ? { authorization } : {}),
        body,
      });
      const [code, json] = answer(body);
      response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(json));
    });
  };
  beforeAll(async () => {
    url = `http://localhost:${await listen(createServer(api))}/es`;
  });
  const found = (total: unknown) => () => [200, { took: 3, hits: { total, hits: [] } }] as [number, unknown];

  test.each(["elasticsearch", "opensearch"])("%s: the number of hits must be equal", async (type) => {
    answer = found({ value: 2, relation: "eq" });
    const query = '{"query": {"term": {"system.role": "api"}}}';
    const login = { username: "me", password: "pass" };
    expect(await run(type, { url, index: "logs-*,other", query, results: 2, ...login })).toMatchObject({
      status: "healthy",
      details: { count: 2, took: 3 },
    });
    expect(seen.at(-1)).toEqual({
      url: "/es/logs-*,other/_search?track_total_hits=true",
      method: "POST",
      authorization: "Basic bWU6cGFzcw==",
      body: JSON.parse(query),
    });
    expect(await run(type, { url, results: 3 })).toMatchObject({
      status: "unhealthy",
      error: "Query returned 2 results, expected 3",
    });
    expect(seen.at(-1)).toMatchObject({ url: "/es/_search?track_total_hits=true", body: {} });
  });

  test("the whole answer is there for expressions, and old servers count with a plain number", async () => {
    answer = found(7);
    const test = { expr: "results.hits.total == 7 && results.took < 10" };
    expect(await run("elasticsearch", { url, test })).toMatchObject({
      status: "healthy",
      details: { count: 7 },
    });
  });

  test("no credentials, but those of a connection", async () => {
    answer = found(0);
    connections.set("connection://default/search", { url, username: "stored", password: "secret" });
    const spec = { connection: "connection://default/search", results: 0 };
    expect(await run("opensearch", spec)).toMatchObject({ status: "healthy" });
    expect(seen.at(-1)!.authorization).toBe(`Basic ${Buffer.from("stored:secret").toString("base64")}`);
  });

  test("what is wrong is a sentence", async () => {
    answer = () => [404, { error: { reason: "no such index [x]" } }];
    expect(await run("elasticsearch", { url, index: "x" })).toMatchObject({
      status: "unhealthy",
      error: "expected 404 to be 200..299: no such index [x]",
    });
    answer = () => [200, { welcome: true }];
    expect(await run("elasticsearch", { url })).toMatchObject({
      error: "the answer has no hits.total, it is no search's",
    });
    expect(await run("elasticsearch", { url, query: "{" })).toMatchObject({
      invalid: true,
      error: expect.stringMatching(/^query: This field must be JSON/),
    });
    answer = () => [200, { text: "x".repeat(3 * 1024 * 1024) }];
    expect(await run("elasticsearch", { url })).toMatchObject({
      error: "the answer is longer than 2 MiB, ask for less",
    });
  });
});
