/** Who asks and whom to trust: certificates made in the test, NTLM, OAuth2 and bearer tokens. */
import { rmSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anAuthority, hasOpenssl } from "./fixtures/certificates.ts";
import { ntlmSite } from "./fixtures/ntlm-site.ts";
import { aBench } from "./runner-support.ts";

const { run, listen, connections, variables } = aBench();
const echo: RequestListener = (request, response) => response.end(request.headers.authorization ?? "nobody");

describe.skipIf(!hasOpenssl)("certificates (skipped without openssl)", () => {
  const authority = hasOpenssl ? anAuthority() : undefined!;
  afterAll(() => rmSync(authority.folder, { recursive: true }));
  const site = async (dates: { from?: number; to?: number }, options: object = {}) => {
    const { certificate: cert, key } = authority.sign("localhost", dates);
    return `https://localhost:${await listen(createHttpsServer({ cert, key, ...options }, echo))}`;
  };
  const tlsConfig = () => ({ ca: authority.certificate });

  test("one that ends in ten days is enough for seven and too little for thirty", async () => {
    const url = await site({ to: 10.5 });
    expect(await run("http", { url, tlsConfig: tlsConfig(), maxSSLExpiry: 7 })).toMatchObject({
      status: "healthy",
      details: { sslAge: 10 },
    });
    expect(await run("http", { url, tlsConfig: tlsConfig(), maxSSLExpiry: 30 })).toMatchObject({
      status: "unhealthy",
      error: "the certificate expires in 10 days, at least 30 expected",
    });
    const test = { expr: "sslAge > Duration('9d') && sslAge < Duration('11d')" };
    expect(await run("http", { url, tlsConfig: tlsConfig(), test })).toMatchObject({ status: "healthy" });
  });

  test("one that has ended is an error, and where any is accepted its days are still counted", async () => {
    const url = await site({ from: -20, to: -2.5 });
    expect(await run("http", { url, tlsConfig: tlsConfig() })).toMatchObject({
      status: "unhealthy",
      error: "certificate has expired",
    });
    const spec = { url, tlsConfig: { insecureSkipVerify: true }, maxSSLExpiry: 0 };
    expect(await run("http", spec)).toMatchObject({
      error: "the certificate expires in -3 days, at least 0 expected",
    });
  });

  test("one that begins tomorrow is an error", async () => {
    const url = await site({ from: 1, to: 10 });
    expect(await run("http", { url, tlsConfig: tlsConfig() })).toMatchObject({
      error: "certificate is not yet valid",
    });
  });

  test("a client shows its own, with a key that is kept elsewhere", async () => {
    const url = await site({}, { requestCert: true, rejectUnauthorized: true, ca: authority.certificate });
    const client = authority.sign("client");
    variables["PH_SECRET_CLIENT_KEY"] = client.key;
    const shown = { ...tlsConfig(), cert: client.certificate, key: "secret://client/key" };
    expect(await run("http", { url, tlsConfig: shown })).toMatchObject({ status: "healthy" });
    expect(await run("http", { url, tlsConfig: tlsConfig() })).toMatchObject({
      status: "unhealthy",
      error: expect.stringMatching(/certificate required|alert|ECONNRESET|hang up/),
    });
  });

  test.each([
    [{ ca: "nonsense" }, "tlsConfig: ca must be a certificate in PEM"],
    [{ cert: "x", key: "y" }, /^tlsConfig: cert and key cannot be read, they must be PEM/],
    [{ cert: "x" }, "tlsConfig: cert and key go together"],
  ])("%j is said to be none", async (wrong, words) => {
    expect(await run("http", { url: "https://localhost:1", tlsConfig: wrong })).toMatchObject({
      invalid: true,
      error: expect.stringMatching(words),
    });
  });

  test("a connection may accept any certificate", async () => {
    const url = await site({});
    connections.set("connection://default/any", { url, insecureTls: true });
    connections.set("connection://default/good", { url, insecureTls: false });
    expect(await run("http", { connection: "connection://default/any" })).toMatchObject({
      status: "healthy",
    });
    expect(await run("http", { connection: "connection://default/good" })).toMatchObject({
      status: "unhealthy",
    });
  });
});

test("a handshake that does not come ends at its limit", async () => {
  const port = await listen(createTcpServer((socket) => socket.on("error", () => undefined)));
  const spec = { url: `https://localhost:${port}`, tlsConfig: { handshakeTimeout: 0.2 } };
  expect(await run("http", spec)).toMatchObject({ error: "the TLS handshake took more than 200 ms" });
});

describe("NTLM, against a counterpart of the protocol", () => {
  const seen: Parameters<typeof ntlmSite>[1] = [];
  let second = "";
  let first = "";
  let open = "";
  beforeAll(async () => {
    second = `http://localhost:${await listen(createHttpServer(ntlmSite(2, seen)))}`;
    first = `http://localhost:${await listen(createHttpServer(ntlmSite(1, seen)))}`;
    open = `http://localhost:${await listen(createHttpServer((request, response) => request.pipe(response)))}`;
  });
  beforeEach(() => void seen.splice(0));
  const who = { username: "Domain\\User", password: "Password" };

  test.each(["ntlm", "ntlmv2"])("%s signs in over one connection, and sends the body once", async (way) => {
    const spec = {
      url: second,
      [way]: true,
      ...who,
      method: "POST",
      body: "x=1",
      responseContent: "welcome",
    };
    expect(await run("http", spec)).toMatchObject({ status: "healthy", details: { code: 200 } });
    expect(seen).toEqual([
      { authenticated: false, earlier: 0, body: "" },
      { authenticated: true, earlier: 1, body: "x=1" },
    ]);
  });

  test("a connection brings the domain", async () => {
    connections.set("connection://default/intranet", {
      url: second,
      username: "User",
      password: "Password",
      properties: { domain: "Domain" },
    });
    const spec = { connection: "connection://default/intranet", ntlm: true };
    expect(await run("http", spec)).toMatchObject({ status: "healthy" });
  });

  test("a wrong password is the server's answer", async () => {
    expect(await run("http", { url: second, ntlm: true, ...who, password: "Wrong" })).toMatchObject({
      error: "expected 401 to be 200..299",
    });
  });

  test("with ntlmv2 a server of the first version is refused", async () => {
    expect(await run("http", { url: first, ntlmv2: true, ...who })).toMatchObject({
      error: "the server offers only the first version of NTLM, and ntlmv2 is wanted",
    });
  });

  test("a server that asks nobody who they are is asked plainly", async () => {
    const spec = { url: open, ntlm: true, ...who, method: "POST", body: "hello", responseContent: "hello" };
    expect(await run("http", spec)).toMatchObject({ status: "healthy" });
  });

  test("a challenge that is none is said to be so", async () => {
    const odd = createHttpServer((_, response) =>
      response.writeHead(401, { "www-authenticate": "NTLM AAAA" }).end(),
    );
    const url = `http://localhost:${await listen(odd)}`;
    expect(await run("http", { url, ntlm: true, ...who })).toMatchObject({
      error: "the server's NTLM challenge cannot be read",
    });
  });
});

describe("OAuth2", () => {
  const given: { authorization?: string; form: Record<string, string> }[] = [];
  let tokens = "";
  let site = "";
  let lifetime: number | undefined = 3600;
  let wanted: "header" | "body" = "header";

  /** A token endpoint (RFC 6749 §4.4) for one client. */
  const endpoint: RequestListener = (request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk));
    request.on("end", () => {
      const form = Object.fromEntries(new URLSearchParams(text));
      const { authorization } = request.headers;
      given.push({ ...(authorization ? { authorization } : {}), form });
      const basic = `Basic ${Buffer.from("client:s3cret").toString("base64")}`;
      const isKnown =
        wanted === "header"
          ? authorization === basic
          : form["client_id"] === "client" && form["client_secret"] === "s3cret";
      const json = { "content-type": "application/json" };
      if (request.url !== "/token") return response.writeHead(404).end("nothing here");
      if (!isKnown || form["grant_type"] !== "client_credentials")
        return response
          .writeHead(401, json)
          .end('{"error":"invalid_client","error_description":"who is that?"}');
      const token = { access_token: `token-${given.length}`, token_type: "Bearer", expires_in: lifetime };
      response.writeHead(200, json).end(JSON.stringify(token));
    });
  };
  beforeAll(async () => {
    tokens = `http://localhost:${await listen(createHttpServer(endpoint))}/token`;
    site = `http://localhost:${await listen(createHttpServer(echo))}`;
  });
  beforeEach(() => {
    given.splice(0);
    lifetime = 3600;
    wanted = "header";
  });
  const oauth = (scope: string) => ({
    url: site,
    username: "client",
    password: "s3cret",
    oauth2: { tokenURL: tokens, scope: [scope, "more"], params: { audience: "site" } },
  });

  test("a token is asked for with the client's credentials, used, and kept until it expires", async () => {
    const spec = { ...oauth("kept"), test: { expr: "content.startsWith('Bearer token-')" } };
    const runs = await Promise.all([run("http", spec), run("http", spec)]);
    expect(runs).toMatchObject([{ status: "healthy" }, { status: "healthy" }]);
    expect(await run("http", spec)).toMatchObject({ status: "healthy" });
    expect(given).toHaveLength(1);
    expect(given[0]!.form).toMatchObject({ scope: "kept more", audience: "site" });
  });

  test("one that lives a moment is not used twice", async () => {
    lifetime = 5;
    await run("http", oauth("short"));
    await run("http", oauth("short"));
    expect(given).toHaveLength(2);
  });

  test("a server that wants the credentials in the body gets them there", async () => {
    wanted = "body";
    const spec = { ...oauth("body"), test: { expr: "content.startsWith('Bearer token-')" } };
    expect(await run("http", spec)).toMatchObject({ status: "healthy" });
  });

  test("a token never shows, whatever the check says", async () => {
    const outcome = await run("http", { ...oauth("shown"), display: { expr: "content" } });
    expect(outcome.message).toBe("Bearer ***");
  });

  test("a refusal, a wrong address and nobody there are sentences", async () => {
    expect(await run("http", { ...oauth("refused"), password: "wrong" })).toMatchObject({
      status: "unhealthy",
      error: "no token: the token URL refused it (invalid_client: who is that?)",
    });
    const at = (tokenURL: string) => run("http", { ...oauth("lost"), oauth2: { tokenURL } });
    expect(await at(tokens.replace("/token", "/nowhere"))).toMatchObject({ error: /the token URL answered/ });
    expect(await at("http://127.0.0.1:1/token")).toMatchObject({ error: /ECONNREFUSED/ });
    expect(await at("nonsense")).toMatchObject({
      error: "oauth2.tokenURL must be http:// or https:// with a host",
    });
  });

  test("a token that the site does not take is asked for anew", async () => {
    const refusing = createHttpServer((_, response) => response.writeHead(401).end());
    const spec = { ...oauth("anew"), url: `http://localhost:${await listen(refusing)}` };
    await run("http", spec);
    await run("http", spec);
    expect(given).toHaveLength(2);
  });
});

test("a bearer token is sent, and masked when it is kept elsewhere", async () => {
  const url = `http://localhost:${await listen(createHttpServer(echo))}`;
  variables["PH_SECRET_SITE_TOKEN"] = "abcdef123";
  const spec = { url, bearer: "secret://site/token", display: { expr: "content" } };
  expect(await run("http", spec)).toMatchObject({ status: "healthy", message: "Bearer ***" });
});

test("username and password at their old place", async () => {
  const url = `http://localhost:${await listen(createHttpServer(echo))}`;
  const spec = { url, authentication: { username: "me", password: { value: "pass" } } };
  const basic = Buffer.from("me:pass").toString("base64");
  expect(await run("http", { ...spec, responseContent: basic })).toMatchObject({ status: "healthy" });
});
