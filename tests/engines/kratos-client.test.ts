/** What the control plane asks of a Kratos and how it reads the answers: sign-in for programs, sessions, identities. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  createKratosClient,
  KratosAway,
  personOf,
  type KratosClient,
} from "#server/identity/kratos/client.ts";

const ID = "a0b1c2d3-0000-4000-8000-0000000000aa";
const IDENTITY = {
  id: ID,
  schema_id: "person",
  schema_url: "https://auth.example.com/schemas/x",
  state: "active",
  traits: { email: "Ada@Example.com", name: { first: "Ada", last: "Lovelace" } },
  verifiable_addresses: [{ value: "ada@example.com", verified: true, via: "email", status: "completed" }],
};
const SESSION = { id: ID, active: true, identity: IDENTITY };

/** The answers of a Kratos by method and path, as its published description has them. */
let answers: Record<string, [status: number, body?: unknown]>;
let asked: { call: string; headers: Record<string, unknown>; body: string }[];
let server: Server;
let client: KratosClient;

beforeAll(async () => {
  server = createServer((request, response) => {
    const call = `${request.method} ${request.url}`;
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      asked.push({ call, headers: request.headers, body });
      const [status, answer] = answers[call] ?? [404, { error: { code: 404 } }];
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(answer ? JSON.stringify(answer) : "");
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  client = await createKratosClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}/base`);
});
afterAll(() => new Promise<void>((done) => server.close(() => done())));
beforeEach(() => {
  answers = {};
  asked = [];
});

test("a session is shown as the cookies it came in, or as a token", async () => {
  answers["GET /base/sessions/whoami"] = [200, SESSION];
  const person = {
    id: ID,
    email: "ada@example.com",
    isVerified: true,
    first: "Ada",
    last: "Lovelace",
    schemaId: "person",
  };
  expect(await client.whoami({ cookies: "ory_kratos_session=x; csrf_token_y=z" })).toEqual(person);
  expect(await client.whoami({ token: "ory_st_x" })).toEqual(person);
  expect(asked.map(({ headers }) => [headers["cookie"], headers["x-session-token"]])).toEqual([
    ["ory_kratos_session=x; csrf_token_y=z", undefined],
    [undefined, "ory_st_x"],
  ]);
});

test.each([
  [401, { error: { id: "session_inactive" } }],
  [403, { error: { id: "session_aal2_required" } }],
  [422, { error: { id: "session_aal2_required" } }],
  [200, { ...SESSION, active: false }],
  [200, { ...SESSION, identity: { ...IDENTITY, state: "inactive" } }],
])("%d %j is nobody", async (status, body) => {
  answers["GET /base/sessions/whoami"] = [status, body];
  expect(await client.whoami({ token: "x" })).toBeNull();
});

test.each([500, 502, 503])("a fault (%d) is no answer", async (status) => {
  answers["GET /base/sessions/whoami"] = [status, {}];
  await expect(client.whoami({ token: "x" })).rejects.toBeInstanceOf(KratosAway);
});

test("a Kratos that is not there is away", async () => {
  const nobody = await createKratosClient("http://127.0.0.1:1");
  await expect(nobody.whoami({ token: "x" })).rejects.toBeInstanceOf(KratosAway);
});

test("a password is judged by the flow for programs, and the session it made ends", async () => {
  answers["GET /base/self-service/login/api"] = [200, { id: "f1", type: "api" }];
  answers["POST /base/self-service/login?flow=f1"] = [
    200,
    { session: SESSION, session_token: "ory_st_made" },
  ];
  answers["DELETE /base/self-service/logout/api"] = [204];
  expect(await client.passwordLogin("ada@example.com", "pass")).toMatchObject({ id: ID });
  expect(JSON.parse(asked[1]!.body)).toEqual({
    method: "password",
    identifier: "ada@example.com",
    password: "pass",
  });
  expect(JSON.parse(asked[2]!.body)).toEqual({ session_token: "ory_st_made" });
});

test("a wrong password is nobody's, and so is any where programs may not sign in", async () => {
  expect(await client.passwordLogin("ada@example.com", "pass")).toBeNull();
  answers["GET /base/self-service/login/api"] = [200, { id: "f1", type: "api" }];
  answers["POST /base/self-service/login?flow=f1"] = [400, { id: "f1", ui: { nodes: [] } }];
  expect(await client.passwordLogin("ada@example.com", "pass")).toBeNull();
});

test("an identity of any schema is read with care", () => {
  expect(personOf({ id: ID, traits: { email: "a@b", name: "Ada Lovelace" } })).toMatchObject({
    email: "a@b",
    isVerified: false,
    first: "Ada Lovelace",
    last: "",
    schemaId: "default",
  });
  expect(personOf({ id: ID, traits: { username: "ada" } })).toMatchObject({ email: null, isVerified: false });
  const other = [{ value: "other@b", verified: true }];
  expect(personOf({ id: ID, traits: { email: "a@b" }, verifiable_addresses: other })).toMatchObject({
    isVerified: false,
  });
  for (const bad of [null, {}, { id: 1 }, { id: "x'; drop table people" }, "text"])
    expect(personOf(bad)).toBeNull();
});
