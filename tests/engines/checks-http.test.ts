/** The http runner against real servers, and every way to fail as an unhealthy check with a sentence. */
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { beforeAll, expect, test } from "vitest";
import { Stopped } from "#server/engines/checks/attempt.ts";
import { certificate, key } from "./fixtures/localhost-certificate.ts";
import { aBench } from "./runner-support.ts";

const { run, listen, connections } = aBench();

let plain = "";
let elsewhere = "";
let tls = "";
const seen: { method?: string; url?: string; headers: Record<string, unknown>; body: string }[] = [];

const site: RequestListener = (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    seen.push({
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    });
    if (pathname === "/status") return response.writeHead(Number(searchParams.get("code"))).end("body text");
    if (pathname === "/slow") return setTimeout(() => response.end("late"), 2000);
    if (pathname === "/never") return;
    if (pathname === "/cut")
      return response.writeHead(200, { "content-length": "100" }).write("a", () => response.destroy());
    if (pathname === "/to")
      return response
        .writeHead(Number(searchParams.get("code") ?? 302), { location: searchParams.get("at") ?? "" })
        .end();
    if (pathname === "/loop") return response.writeHead(302, { location: "/loop" }).end();
    if (pathname === "/json")
      return response.writeHead(200, { "content-type": "application/json" }).end(searchParams.get("text"));
    if (pathname === "/big") {
      const chunk = Buffer.alloc(256 * 1024, "x");
      const more = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once("drain", more);
      };
      return more();
    }
    response.end(`hello ${request.headers.authorization ?? "nobody"}`);
  });
};

beforeAll(async () => {
  plain = `http://localhost:${await listen(createHttpServer(site))}`;
  elsewhere = `http://127.0.0.1:${await listen(createHttpServer(site))}`;
  tls = `https://localhost:${await listen(createHttpsServer({ cert: certificate, key }, site))}`;
});
const last = () => seen.at(-1)!;

test.each<[string, () => object]>([
  ["a plain page", () => ({ url: plain })],
  ["the old name of url", () => ({ endpoint: plain })],
  ["a code that is listed", () => ({ url: `${plain}/status?code=503`, responseCodes: [200, 503] })],
  ["content that is there", () => ({ url: plain, responseContent: "hello" })],
  ["a redirect that is followed", () => ({ url: `${plain}/to?at=/there` })],
  ["a redirect that is the answer", () => ({ url: `${plain}/to?at=/there`, responseCodes: [302] })],
  ["JSON", () => ({ url: `${plain}/json?text={}` })],
  [
    "JSON with the value it should have",
    () => ({
      url: `${plain}/json?text={"a":{"b":[7,8]}}`,
      responseJSONContent: { path: "$.a.b[1]", value: "8" },
    }),
  ],
  ["a threshold that is kept", () => ({ url: plain, thresholdMillis: 5000 })],
  ["a certificate one trusts", () => ({ url: tls, tlsConfig: { ca: certificate }, maxSSLExpiry: 30 })],
  ["any certificate", () => ({ url: tls, tlsConfig: { insecureSkipVerify: true } })],
  ["an endless body, when only the code matters", () => ({ url: `${plain}/big` })],
])("passes: %s", async (_, spec) => {
  expect(await run("http", spec())).toMatchObject({ status: "healthy" });
});

test.each<[string, () => object, string | RegExp]>([
  ["a wrong code", () => ({ url: `${plain}/status?code=500` }), "expected 500 to be 200..299"],
  [
    "a code not listed",
    () => ({ url: `${plain}/status?code=200`, responseCodes: [201, 204] }),
    "expected 200 to be in [201 204]",
  ],
  [
    "missing content",
    () => ({ url: plain, responseContent: "bye" }),
    'expected the response to contain "bye"',
  ],
  [
    "content beyond the limit",
    () => ({ url: `${plain}/big`, responseContent: "y" }),
    'expected the first 5 MiB of the response to contain "y"',
  ],
  [
    "too slow",
    () => ({ url: `${plain}/slow`, thresholdMillis: 100 }),
    "no answer within the threshold of 100 ms",
  ],
  ["broken JSON", () => ({ url: `${plain}/json?text={` }), "the response says it is JSON but is not"],
  [
    "JSON with another value",
    () => ({
      url: `${plain}/json?text={"state":"down"}`,
      responseJSONContent: { path: "$.state", value: "up" },
    }),
    'expected $.state of the response to be "up", it is "down"',
  ],
  ["redirects without end", () => ({ url: `${plain}/loop` }), "stopped after 10 redirects"],
  [
    "a redirect to nowhere",
    () => ({ url: `${plain}/to?at=ftp://x` }),
    'redirected to "ftp://x", which is no web address',
  ],
  ["a body that is cut", () => ({ url: `${plain}/cut` }), /aborted|hang up|ECONNRESET/],
  ["nobody there", () => ({ url: "http://127.0.0.1:1" }), /ECONNREFUSED/],
  ["no such host", () => ({ url: "http://nowhere.invalid" }), /ENOTFOUND|EAI_AGAIN/],
  ["a stranger's certificate", () => ({ url: tls }), /self-signed certificate/],
  [
    "a certificate that ends soon",
    () => ({ url: tls, tlsConfig: { ca: certificate }, maxSSLExpiry: 99_999 }),
    /^the certificate expires in \d+ days, at least 99999 expected$/,
  ],
  [
    "a certificate where there is none",
    () => ({ url: plain, maxSSLExpiry: 7 }),
    "maxSSLExpiry is set, but the answer came without TLS",
  ],
  [
    "a connection that is not there",
    () => ({ connection: "connection://x/y" }),
    "connection connection://x/y was not found",
  ],
])("fails: %s", async (_, spec, words) => {
  const outcome = await run("http", spec());
  expect(outcome.status).toBe("unhealthy");
  expect(outcome.error).toMatch(words);
});

test("everything that is wrong is said, one line each", async () => {
  const outcome = await run("http", {
    url: `${plain}/status?code=500`,
    responseContent: "absent",
    maxSSLExpiry: 1,
  });
  expect(outcome.error!.split("\n")).toHaveLength(3);
});

test.each([
  ["ftp://x", /must be http:\/\/ or https:\/\/ with a host/],
  ["not a url", /must be http/],
  ["/path", /must be http/],
])("a url like %s is invalid", async (url, words) => {
  expect(await run("http", { url })).toMatchObject({
    status: "unhealthy",
    invalid: true,
    error: expect.stringMatching(words),
  });
});

test("method, headers, body and credentials are sent", async () => {
  await run("http", {
    url: `${plain}/form`,
    method: "POST",
    body: "grüße",
    headers: [{ name: "X-Token", value: { value: "secret" } }],
    username: "me",
    password: { value: "pä:ss" },
  });
  expect(last()).toMatchObject({
    method: "POST",
    body: "grüße",
    headers: { "x-token": "secret", authorization: `Basic ${Buffer.from("me:pä:ss").toString("base64")}` },
  });
});

test("credentials do not follow a redirect to another host, and a POST becomes a GET", async () => {
  const at = encodeURIComponent(`${elsewhere}/there`);
  await run("http", {
    url: `${plain}/to?at=${at}`,
    method: "POST",
    body: "x",
    username: "me",
    password: "pass",
  });
  expect(last()).toMatchObject({ url: "/there", method: "GET", body: "" });
  expect(last().headers["authorization"]).toBeUndefined();
  await run("http", {
    url: `${plain}/to?code=307&at=/there`,
    method: "POST",
    body: "x",
    username: "me",
    password: "p",
  });
  expect(last()).toMatchObject({ url: "/there", method: "POST", body: "x" });
  expect(last().headers["authorization"]).toBeDefined();
});

test("a stored connection gives the address and the credentials", async () => {
  connections.set("connection://default/site", {
    url: `${plain}/stored`,
    username: "me",
    password: "pass",
  });
  expect(
    await run("http", { connection: "connection://default/site", responseContent: "Basic" }),
  ).toMatchObject({
    status: "healthy",
  });
  expect(last().url).toBe("/stored");
});

test("the result says what was measured, and nothing secret", async () => {
  const { details } = await run("http", { url: tls, tlsConfig: { ca: certificate }, password: "hidden" });
  expect(details).toEqual({ code: 200, elapsed: expect.any(Number), sslAge: expect.any(Number) });
});

test("a run ends at its time limit", async () => {
  expect(await run("http", { url: `${plain}/never` }, { timeoutMs: 150 })).toMatchObject({
    status: "unhealthy",
    error: "timed out after 0.15 s",
  });
});

test("a run that is stopped has no outcome", async () => {
  const stop = new AbortController();
  const running = run("http", { url: `${plain}/never` }, { stop: stop.signal });
  setTimeout(() => stop.abort(new Stopped("the control plane stopped")), 50);
  await expect(running).rejects.toThrow(Stopped);
});
