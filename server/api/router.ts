/**
 * The table of the API: method, path, who may, what answers (facts: the backend's route table). Paths are the
 * backend's, without `/api`. What is not in it answers 404 to whoever is signed in and 401 to everybody else.
 */
import { Hono, type Context, type Next } from "hono";
import type { HttpBindings } from "@hono/node-server";
import { may, type Permission } from "#app/contract/access.ts";
import { isDatabaseAway } from "#server/db/away.ts";
import type { IdentityService } from "#server/identity/index.ts";
import type { Observe } from "#server/observe/observation.ts";
import type { Metrics } from "#server/observe/metrics.ts";
import { authenticate } from "./auth.ts";
import { ApiError, denied } from "./errors.ts";
import { isOpenToStrangers, stranger } from "./strangers.ts";
import type { Principal } from "./principal.ts";

export interface ApiEnv {
  Bindings: HttpBindings;
  Variables: { principal: Principal };
}
export type ApiContext = Context<ApiEnv>;
export type Handler = (c: ApiContext) => Response | Promise<Response>;

export interface Route {
  method: "GET" | "POST" | "PATCH" | "DELETE" | "ALL";
  path: string;
  /** "anyone": also without credentials. "signed-in": whoever has some. "admin": only administrators. */
  who: Permission | "signed-in" | "admin" | "anyone";
  handler: Handler;
}

interface Needs {
  routes: readonly Route[];
  /** Whole apps that see to their own credentials, by their prefix. */
  open: Readonly<Record<string, Hono>>;
  identity: IdentityService;
  database: string;
  /** Whoever brings no credentials may read checks, and nothing else. */
  standalone?: boolean;
  observe: Observe;
  metrics: Metrics;
}

/** The API as one Hono app: authentication, rights, the table, and errors that say little and are reported once. */
export function createRouter(needs: Needs): Hono<ApiEnv> {
  const { routes, open, identity, database, standalone = false, observe, metrics } = needs;
  const app = new Hono<ApiEnv>();
  for (const [prefix, inner] of Object.entries(open)) app.route(prefix, inner);
  for (const { method, path, who, handler } of routes) {
    const measured = async (c: ApiContext) => {
      const from = performance.now();
      const response = await handler(c);
      metrics.answered(c.req.method, path, response.status, (performance.now() - from) / 1000);
      return response;
    };
    const guards =
      who === "anyone"
        ? []
        : [authenticated(identity, database, standalone && isOpenToStrangers(method, path)), allowed(who)];
    app.on(
      method === "ALL" ? ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] : [method],
      [path],
      ...guards,
      measured,
    );
  }
  app.all("*", authenticated(identity, database), (c) => c.json({ error: "Not Found" }, 404));
  app.onError((error, c) => {
    if (error instanceof ApiError) return c.json({ error: error.message }, error.status);
    const id = crypto.randomUUID().slice(0, 8);
    const words = error instanceof Error ? error.message : String(error);
    const down = isDatabaseAway(error);
    const status = down ? 503 : 500;
    observe({ kind: "http.failed", id, method: c.req.method, path: c.req.path, status, error: words });
    if (down) return c.json({ error: "The database cannot be reached." }, 503, { "Retry-After": "1" });
    return c.json({ error: `Internal error ${id}.` }, 500);
  });
  return app;
}

function authenticated(identity: IdentityService, database: string, lets = false) {
  return async (c: ApiContext, next: Next) => {
    const unknown = lets ? stranger(c, database) : null;
    if (unknown) {
      c.set("principal", unknown);
      return next();
    }
    const found = await authenticate(c, identity, database);
    if ("refused" in found) return c.text(found.words, found.refused);
    c.set("principal", found.principal);
    return next();
  };
}

function allowed(who: Permission | "signed-in" | "admin") {
  return async (c: ApiContext, next: Next) => {
    const { roles } = c.get("principal");
    const fine = who === "signed-in" || (who === "admin" ? roles.includes("admin") : may(roles, who));
    return fine ? next() : denied(c);
  };
}
