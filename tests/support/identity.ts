import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Configuration, FrontendApi, type LoginFlow } from "@ory/client";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import type pg from "pg";
import { createIdentity, type IdentityNeeds } from "#server/identity/index.ts";
import type { Observation } from "#server/observe/observation.ts";

/** One installation has one key, however many processes it has. */
const KEY = "a key of thirty-two characters...";

interface Answer<T> {
  status: number;
  data: T;
  headers: Record<string, unknown>;
}

/** The identity service on a real listener, mounted where the control plane mounts it, with a clock to turn. */
export async function startIdentity(
  pool: pg.Pool,
  { publicUrl = null, ...needs }: Partial<Omit<IdentityNeeds, "pool" | "now" | "observe">> = {},
) {
  const observed: Observation[] = [];
  let ahead = 0;
  const identity = createIdentity({
    pool,
    publicUrl,
    secureCookies: publicUrl?.startsWith("https:") ?? false,
    key: KEY,
    ...needs,
    observe: (observation) => observed.push(observation),
    now: () => new Date(Date.now() + ahead),
  });
  const app = new Hono().route("/kratos", identity.app);
  const server: Server = createServer(getRequestListener(app.fetch));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/kratos`;
  return {
    identity,
    observed,
    origin,
    browser: () => newBrowser(origin),
    /** Moves the service's clock forward. */
    later: (minutes: number) => (ahead += minutes * 60_000),
    close: async () => {
      await identity.stop();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

export type TestIdentity = Awaited<ReturnType<typeof startIdentity>>;
export type TestBrowser = ReturnType<typeof newBrowser>;

/** A browser in little: a cookie jar, `@ory/client` for scripts, fetch without following for pages. */
function newBrowser(origin: string) {
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  let lastSetCookies: string[] = [];

  function keep(setCookies: string[]) {
    lastSetCookies = setCookies;
    for (const line of setCookies) {
      const [pair = ""] = line.split(";");
      const at = pair.indexOf("=");
      if (/max-age=0/i.test(line)) jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }

  const client = new FrontendApi(
    new Configuration({ basePath: origin, baseOptions: { validateStatus: () => true } }),
  );

  return {
    jar,
    cookie,
    setCookies: () => lastSetCookies,
    /** One call of the public client with the jar's cookies; any status is an answer. */
    async call<T>(run: (api: FrontendApi, cookie: string) => Promise<Answer<T>>): Promise<Answer<T>> {
      const answer = await run(client, cookie());
      const given = answer.headers["set-cookie"];
      keep(Array.isArray(given) ? given.map(String) : []);
      return answer;
    },
    /** A navigation or a plain form post. */
    async visit(path: string, form?: Record<string, string>, headers: Record<string, string> = {}) {
      const response = await fetch(`${origin}${path}`, {
        redirect: "manual",
        headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8", cookie: cookie(), ...headers },
        ...(form && { method: "POST", body: new URLSearchParams(form) }),
      });
      keep(response.headers.getSetCookie());
      return response;
    },
  };
}

/** The value of a flow's input. */
export function valueOf(flow: Pick<LoginFlow, "ui">, name: string): string {
  for (const { attributes } of flow.ui.nodes)
    if ("name" in attributes && attributes.name === name) return String(attributes.value ?? "");
  throw new Error(`the flow has no input ${name}`);
}

/** Ids of the messages: those above the form under "", the others under their field. */
export function messagesOf({ ui }: Pick<LoginFlow, "ui">): Record<string, number[]> {
  const found: Record<string, number[]> = {};
  if (ui.messages?.length) found[""] = ui.messages.map(({ id }) => id);
  for (const { attributes, messages } of ui.nodes)
    if ("name" in attributes && messages.length > 0) found[attributes.name] = messages.map(({ id }) => id);
  return found;
}
