import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { relay, upstreamTarget } from "./relay.server.ts";

/** What the supervisor tells a web; where upstream is, each test says itself. */
beforeAll(() => {
  vi.stubEnv("UPSTREAM_URL", "http://127.0.0.1:1");
  vi.stubEnv("SESSION_SECRET", "of this test");
});

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

/** A real server on a free port, standing where upstream stands. */
async function upstream(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe("where a call goes", () => {
  test.each([
    ["/api/db/checks?select=id", "/db/checks?select=id"],
    ["/api/.ory/sessions/whoami", "/kratos/sessions/whoami"],
    ["/api/canary/run/check/1", "/canary/run/check/1"],
    ["/api/.oryx", "/.oryx"],
    ["/%61pi/db/checks", null],
    ["//api/db", null],
    ["/login", null],
  ])("%s", (target, expected) => {
    expect(upstreamTarget(target)).toBe(expected);
  });
});

test.each([
  "/db/hypotheses?id=eq.x&select(*,a)",
  "/db/configs?&select=*&&order=a.desc&order=name.asc",
  "/db/agents?select=id, type, name".replaceAll(" ", "+"),
  "/db/x?a=%2C%22%5c&b=in.(\"a\",'b')|{}^`<>",
  "/db/../auth/./whoami?",
])("the target %s arrives byte for byte", async (target) => {
  let seen = "";
  const url = await upstream((request, response) => {
    seen = request.url ?? "";
    response.end();
  });
  await relay(new Request("http://web/api/x"), url, target);
  expect(seen).toBe(target);
});

test("a body and the caller's headers go up; our own cookie and connection headers do not", async () => {
  let seen: IncomingMessage | undefined;
  let body = "";
  const url = await upstream(async (request, response) => {
    seen = request;
    body = await bodyOf(request);
    response.writeHead(201, {
      "content-range": "0-0/1",
      "x-frame-options": "ALLOW",
      connection: "x-hop",
      "x-hop": "1",
    });
    response.end("[1]");
  });
  const response = await relay(
    new Request("http://web/api/db/x", {
      method: "POST",
      body: '{"a":1}',
      headers: {
        "content-length": "7",
        "content-type": "application/json",
        prefer: "return=representation",
        cookie: "pilothouse=secret; ory_kratos_session=s; csrf_token_x=c; preferences=p",
        authorization: "Bearer t",
        "x-ph-client": "10.0.0.9",
        "x-ph-target": "/api/db/x",
        origin: "http://web",
      },
    }),
    url,
    "/db/x",
  );
  expect(body).toBe('{"a":1}');
  expect(seen?.headers).toMatchObject({
    cookie: "ory_kratos_session=s; csrf_token_x=c",
    authorization: "Bearer t",
    prefer: "return=representation",
    "x-ph-client": "10.0.0.9",
    "content-length": "7",
  });
  expect(seen?.headers).not.toHaveProperty("x-ph-target");
  expect(response.status).toBe(201);
  expect(await response.text()).toBe("[1]");
  expect(response.headers.get("content-range")).toBe("0-0/1");
  expect(response.headers.get("x-frame-options")).toBeNull();
  expect(response.headers.get("x-hop")).toBeNull();
  expect(response.headers.get("content-security-policy")).toContain("sandbox");
});

test("a DELETE without a body carries none, one with a body carries it framed", async () => {
  const bodies: string[] = [];
  const url = await upstream(async (request, response) => {
    bodies.push(`${request.headers["transfer-encoding"] ?? "-"} ${await bodyOf(request)}`);
    response.writeHead(204).end();
  });
  const empty = new Request("http://web/", {
    method: "DELETE",
    body: new Blob([]).stream(),
    duplex: "half",
  } as RequestInit);
  expect((await relay(empty, url, "/db/x?id=eq.1")).status).toBe(204);
  const full = new Request("http://web/", {
    method: "DELETE",
    body: new Blob(["[1]"]).stream(),
    duplex: "half",
    headers: { "transfer-encoding": "chunked" },
  } as RequestInit);
  await relay(full, url, "/db/x");
  expect(bodies).toEqual(["- ", "chunked [1]"]);
});

test("several Set-Cookie lines stay several", async () => {
  const url = await upstream((_, response) => {
    response.setHeader("set-cookie", ["a=1; Path=/", "b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT"]);
    response.end();
  });
  const response = await relay(new Request("http://web/"), url, "/kratos/x");
  expect(response.headers.getSetCookie()).toEqual([
    "a=1; Path=/",
    "b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT",
  ]);
});

test("an encoded answer is decoded, because its encoding is not passed on", async () => {
  const url = await upstream((_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("hello"));
  });
  const response = await relay(new Request("http://web/"), url, "/x");
  expect(response.headers.get("content-encoding")).toBeNull();
  expect(await response.text()).toBe("hello");
});

test("an event stream arrives as it is sent, and ends upstream when its reader leaves", async () => {
  let resolveClosed = () => {};
  const closed = new Promise<void>((resolve) => (resolveClosed = resolve));
  const url = await upstream((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: 1\n\n");
    response.on("close", () => resolveClosed());
  });
  const leaving = new AbortController();
  const response = await relay(new Request("http://web/", { signal: leaving.signal }), url, "/events");
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("data: 1\n\n");
  leaving.abort();
  await closed;
  expect(await reader?.read()).toMatchObject({ done: true });
});

test("an upstream that breaks off breaks the answer off", async () => {
  const url = await upstream((_, response) => {
    response.writeHead(200, { "content-length": "10" });
    response.write("half", () => response.destroy());
  });
  const response = await relay(new Request("http://web/"), url, "/x");
  await expect(response.text()).rejects.toThrow();
});

test("an upstream that is away rejects", async () => {
  await expect(relay(new Request("http://web/"), "http://127.0.0.1:9", "/x")).rejects.toThrow();
});
