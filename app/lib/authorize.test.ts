import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { view } from "#app/contract/view.ts";
import { authorize } from "./authorize.server.ts";
import { eq, isNull } from "./filter.ts";
import { newScope, requestScopes, scope } from "./scope.server.ts";
import { rememberedSession } from "./session.server.ts";
import { Conflict, UpstreamError } from "./upstream-error.ts";

/** A real server on a free port that answers what a test says, for answers a real backend does not give on demand. */
type Answer = { status?: number; json?: unknown; text?: string; headers?: Record<string, string> };
let answers: Record<string, Answer | Answer[]> = {};
let asked: { line: string; body: string; headers: IncomingMessage["headers"] }[] = [];

const server = createServer((request, response) => void answer(request, response));
async function answer(request: IncomingMessage, response: ServerResponse) {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  const path = (request.url ?? "").split("?")[0] ?? "";
  asked.push({
    line: `${request.method} ${decodeURIComponent(request.url ?? "")}`,
    body,
    headers: request.headers,
  });
  const given = answers[path] ?? { status: 404, json: { error: "no answer" } };
  const { status = 200, json, text, headers } = (Array.isArray(given) ? given.shift() : given) ?? {};
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(text ?? JSON.stringify(json ?? null));
}
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  vi.stubEnv("UPSTREAM_URL", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv("SESSION_SECRET", "a secret for tests");
});
afterAll(() => server.close());
beforeEach(() => {
  asked = [];
  answers = { "/auth/whoami": whoami("admin") };
});

const ada = (roles: string[], more: object = {}): Answer => ({
  json: { message: "success", payload: { user: { id: "1", name: "Ada", email: "ada@x" }, roles, ...more } },
});
const OURS = { properties: [], about: { Version: "9.9", features: ["whoami.properties"] } };
/** As our control plane answers. */
const whoami = (...roles: string[]): Answer => ada(roles, OURS);
const lines = () => asked.map(({ line }) => line).sort();
const request = (path = "/health?query=a&_routes=x", init: RequestInit = {}) =>
  new Request(`http://web${path}`, { headers: { cookie: "ory_kratos_session=s; pilothouse=old" }, ...init });
const inScope = <T>(work: () => Promise<T>) =>
  requestScopes().run(
    newScope(() => {}),
    work,
  );
const open = (...given: Parameters<typeof authorize>) => inScope(() => authorize(...given));
/** What was thrown, as a Response. */
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => Promise.reject(new Error("nothing was thrown")),
    (thrown: unknown) => thrown as Response,
  );

describe("whoever asks for a page", () => {
  test("is sent to sign in without a session, and nothing is asked upstream", async () => {
    const stranger = request("/health?query=a&_routes=x", { headers: {} });
    const { status, headers } = await refusal(open({ request: stranger }, "read:canaries"));
    expect([status, headers.get("location")]).toEqual([302, "/login?return_to=%2Fhealth%3Fquery%3Da"]);
    expect(asked).toEqual([]);
  });

  test("is sent to sign in, and forgotten, when the session is over", async () => {
    answers["/auth/whoami"] = { status: 401, text: "Session Expired" };
    const { headers } = await refusal(open({ request: request() }, "read:canaries"));
    expect(headers.get("location")).toBe("/login?return_to=%2Fhealth%3Fquery%3Da");
    expect(headers.getSetCookie()).toEqual([expect.stringContaining("pilothouse=; Path=/; Max-Age=0")]);
  });

  test.each([
    [403, "/login?aal=aal2&return_to=%2Fhealth%3Fquery%3Da"],
    [422, "/login?aal=aal2&return_to=%2Fhealth%3Fquery%3Da"],
    [401, "/login?return_to=%2Fhealth%3Fquery%3Da"],
    [502, "/login?return_to=%2Fhealth%3Fquery%3Da"],
    [200, "/error?error_code=BAD_SESSION"],
  ])("whose session upstream does not take goes where the identity service says (%i)", async (status, to) => {
    answers["/auth/whoami"] = { status: 401, text: "Session Expired" };
    answers["/kratos/sessions/whoami"] = { status, json: {} };
    expect((await refusal(open({ request: request() }, "read:canaries"))).headers.get("location")).toBe(to);
  });

  test.each([403, 422])("is asked for the second factor on %i", async (status) => {
    answers["/auth/whoami"] = { status, json: {} };
    const { headers } = await refusal(open({ request: request() }, "read:canaries"));
    expect(headers.get("location")).toBe("/login?aal=aal2&return_to=%2Fhealth%3Fquery%3Da");
  });

  test("is a viewer without a role we know, and refused what a viewer may not", async () => {
    answers["/auth/whoami"] = whoami("everyone");
    const { user, can } = await open({ request: request() }, "read:canaries");
    expect([user.roles, can("run:check")]).toEqual([[], false]);
    const refused = await refusal(open({ request: request() }, "write:canaries"));
    expect([refused.status, await refused.text()]).toEqual([
      403,
      "You do not have permission to access this page",
    ]);
  });

  test("finds nothing where a feature is off", async () => {
    answers["/auth/whoami"] = ada(["admin"], {
      properties: [{ name: "health.disable", value: "true" }],
    });
    expect((await refusal(open({ request: request() }, "read:canaries", { feature: "health" }))).status).toBe(
      404,
    );
    await expect(
      open({ request: request() }, "read:canaries", { feature: "topology" }),
    ).resolves.toBeDefined();
  });

  test("is refused a write from another site before anything is asked", async () => {
    const post = request("/health", {
      method: "POST",
      headers: { cookie: "ory_kratos_session=s", origin: "https://evil" },
    });
    expect((await refusal(open({ request: post }, "run:check"))).status).toBe(403);
    expect(asked).toEqual([]);
  });

  test("is asked for once per request, however many loaders there are, and remembered", async () => {
    await inScope(async () => {
      const page = request();
      await Promise.all([
        authorize({ request: page }, "read:canaries"),
        authorize({ request: page }, "signed-in"),
      ]);
      expect(asked.map(({ line }) => line)).toEqual(["GET /auth/whoami"]);
      expect(asked[0]?.headers.cookie).toBe("ory_kratos_session=s");
      const cookie = String(scope().cookies.get("pilothouse")).split(";")[0] ?? "";
      const next = request("/", { headers: { cookie: `ory_kratos_session=s; ${cookie}` } });
      expect(rememberedSession(next)).toMatchObject({ id: "1", name: "Ada", roles: ["admin"] });
      scope().cookies.clear();
      scope().memo.clear();
      await authorize({ request: next }, "signed-in");
      expect(scope().cookies.size).toBe(0); // nothing has changed, nothing is rewritten
      answers["/auth/whoami"] = whoami("viewer");
      scope().memo.clear();
      expect((await authorize({ request: next }, "signed-in")).user.roles).toEqual(["viewer"]);
      expect(scope().cookies.size).toBe(1);
    });
  });

  test("sees that upstream is away, each loader its own words", async () => {
    answers["/auth/whoami"] = { status: 502 };
    await inScope(async () => {
      const page = request();
      const both = [authorize({ request: page }, "signed-in"), authorize({ request: page }, "signed-in")].map(
        refusal,
      );
      for (const away of await Promise.all(both))
        expect([away.status, await away.text()]).toEqual([503, "Upstream is away"]);
    });
  });
});

describe("one call answers who asks, which features are on and what upstream can do", () => {
  test("where our control plane is asked", async () => {
    const { isOn, areFlagsKnown, backend } = await open({ request: request() }, "signed-in");
    expect([isOn("health"), areFlagsKnown]).toEqual([true, true]);
    const { version, offers } = await backend();
    expect([version, offers("whoami.properties"), offers("kubeconfig", true)]).toEqual(["9.9", true, false]);
    expect(lines()).toEqual(["GET /auth/whoami"]);
  });

  test("properties that could not be read switch nothing off, and the page knows", async () => {
    answers["/auth/whoami"] = ada(["admin"], { ...OURS, properties: null });
    const { isOn, areFlagsKnown } = await open({ request: request() }, "read:canaries", {
      feature: "health",
    });
    expect([isOn("health"), areFlagsKnown]).toEqual([true, false]);
    expect(lines()).toEqual(["GET /auth/whoami"]);
  });
});

describe("a backend that knows only the contract", () => {
  beforeEach(() => {
    answers["/auth/whoami"] = ada(["admin"]);
    answers["/properties"] = { json: [{ name: "topology.disable", value: "true", source: "db" }] };
    answers["/canary/about"] = { json: { Version: "v1", Timestamp: "now" } };
  });

  test("is asked for its properties, from then on at the same time, and for its version when that is wanted", async () => {
    for (let visit = 0; visit < 2; visit++) {
      const { isOn, areFlagsKnown } = await open({ request: request() }, "signed-in");
      expect([isOn("topology"), isOn("health"), areFlagsKnown]).toEqual([false, true, true]);
    }
    expect(lines()).toEqual(["GET /auth/whoami", "GET /auth/whoami", "GET /properties", "GET /properties"]);
    expect(asked.at(-2)?.line, "not after whoami's answer").not.toBe(asked.at(-1)?.line);
    const { version, offers } = await inScope(async () =>
      (await authorize({ request: request() }, "signed-in")).backend(),
    );
    expect([version, offers("whoami.properties"), offers("kubeconfig", true)]).toEqual(["v1", false, true]);
  });

  test.each([
    ["answers nothing of use", { status: 500, text: "oops" }],
    ["is away", { status: 503 }],
    ["says something else", { json: { properties: "none" } }],
    ["refuses", { status: 403, text: "no" }],
  ])("switches nothing off when the flags' call %s", async (_, given) => {
    answers["/properties"] = given;
    const { isOn, areFlagsKnown } = await open({ request: request() }, "signed-in");
    expect([isOn("topology"), areFlagsKnown]).toEqual([true, false]);
  });

  test("tells no version when the about call fails", async () => {
    answers["/canary/about"] = { status: 500 };
    const { version } = await inScope(async () =>
      (await authorize({ request: request() }, "signed-in")).backend(),
    );
    expect(version).toBeNull();
  });
});

const row = view("checks", z.object({ id: z.string(), name: z.string() }));
const api = async () => (await open({ request: request() }, "signed-in")).api;
const last = () => asked.at(-1);

describe("the api", () => {
  test("sends whoever's session ended in between to have it looked at", async () => {
    const client = await api();
    for (const work of [client.list(row), client.page(row, {}), client.insert(row, { name: "a" })]) {
      answers["/db/checks"] = { status: 401, text: "Session Expired" };
      const { status, headers } = await refusal(work);
      expect([status, headers.get("location")]).toEqual([
        302,
        "/auth-state-checker?return_to=%2Fhealth%3Fquery%3Da",
      ]);
    }
  });

  test("turns a failed read into a page that says so, with upstream's words kept to the log", async () => {
    answers["/db/checks"] = { status: 500, json: { message: "relation does not exist" } };
    const failed = await refusal((await api()).list(row));
    expect([failed.status, failed.statusText, await failed.text()]).toEqual([
      500,
      "Something went wrong",
      "",
    ]);
  });

  test("asks for what the row needs, counts, and reads the total", async () => {
    answers["/db/checks"] = {
      json: [{ id: "1", name: "a", more: 1 }],
      headers: { "content-range": "0-0/7" },
    };
    expect(await (await api()).page(row, { name: eq("a&b,c"), deleted_at: isNull, limit: 1 })).toEqual({
      rows: [{ id: "1", name: "a" }],
      total: 7,
    });
    expect(last()?.line).toBe("GET /db/checks?select=id,name&name=eq.a&b,c&deleted_at=is.null&limit=1");
    expect(last()?.headers["prefer"]).toBe("count=exact");
  });

  test("takes a page behind the last one for empty", async () => {
    answers["/db/checks"] = { status: 416, json: { code: "PGRST103" }, headers: { "content-range": "*/7" } };
    expect(await (await api()).page(row, { offset: 100 })).toEqual({ rows: [], total: 7 });
  });

  test("does not ask for a row without saying which", async () => {
    expect(await (await api()).find(row, { id: eq("") })).toBeNull();
    await expect((await api()).update(row, "", { name: "b" })).rejects.toThrow(
      "Nothing was chosen to change",
    );
    await expect((await api()).remove("checks", { id: eq(undefined) })).rejects.toThrow(
      "Nothing was chosen to remove",
    );
    expect(asked.filter(({ line }) => line.includes("/db/"))).toEqual([]);
  });

  test("writes only over what was seen, and shows what is there when somebody was first", async () => {
    answers["/db/checks"] = [{ json: [] }, { json: [{ id: "1", name: "theirs" }] }];
    const conflict = await (
      await api()
    )
      .update(row, "1", { name: "mine" }, { seen: "2024-09-24T10:00:00.123456+00:00" })
      .catch((error: unknown) => error);
    expect(asked.at(-2)?.line).toBe(
      "PATCH /db/checks?select=id,name&id=eq.1&updated_at=eq.2024-09-24T10:00:00.123456+00:00",
    );
    expect(asked.at(-2)?.body).toBe('{"name":"mine"}');
    expect(conflict).toBeInstanceOf(Conflict);
    expect((conflict as Conflict).current).toEqual({ id: "1", name: "theirs" });
  });

  test("says that a row is gone", async () => {
    answers["/db/checks"] = { json: [] };
    await expect((await api()).update(row, "1", {}, { seen: "x" })).rejects.toMatchObject({ status: 404 });
  });

  test.each([
    [{ status: 409, json: { code: "23505", message: "duplicate key" } }, "duplicate key"],
    [{ status: 400, json: { error: "bad spec", message: "Error creating" } }, "bad spec"],
    [{ status: 403, text: "no rights" }, "no rights"],
    [{ status: 500, text: "<html>trace</html>" }, "An error occurred"],
    [{ status: 500, json: {} }, "An error occurred"],
  ])("passes on the words of a refused write %#", async (given, words) => {
    answers["/db/checks"] = given;
    const error = await (await api()).insert(row, { name: "a" }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UpstreamError);
    expect(error).toMatchObject({ status: given.status, message: words });
  });

  test("turns a forbidden read into the page that says so", async () => {
    answers["/db/checks"] = { status: 403, json: { message: "permission denied" } };
    const client = await api();
    for (const read of [
      client.list(row),
      client.page(row, {}),
      client.rpc(row).catch(() => client.list(row)),
    ])
      expect((await refusal(read)).status).toBe(403);
  });

  test("does not take a row of the wrong shape", async () => {
    answers["/db/checks"] = { json: [{ id: 1 }] };
    await expect((await api()).list(row)).rejects.toThrow(z.ZodError);
  });
});
