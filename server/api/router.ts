/**
 * The table of the API: method, path, who may, what answers (facts: the backend's route table). Paths are the
 * backend's, without `/api`. What is not in it answers 404 to whoever is signed in and 401 to everybody else.
 */
import { Hono, type Context, type Next } from "hono";
import type { HttpBindings } from "@hono/node-server";
import { may, type Permission } from "#app/contract/access.ts";
import { isDatabaseAway } from "#server/db/away.ts";
import type { IdentityService } from "#server/identity/index.ts";
import type { ProviderTokens } from "#server/identity/provider-tokens.ts";
import type { Observe } from "#server/observe/observation.ts";
import type { Metrics } from "#server/observe/metrics.ts";
import { authenticate } from "./auth.ts";
import { ApiError, denied } from "./errors.ts";
import type { About, Rights } from "./rights.ts";
import { isOpenToStrangers, stranger } from "./strangers.ts";
import type { Principal } from "./principal.ts";
import type { SharedAnswers } from "./shared-answers.ts";

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
  /** One resource: permission records about it may allow this to others than `who`, or deny it. */
  about?: About;
  /** Tokens of agents may call it too; else they are refused, whatever `who` says of people. */
  agents?: true;
  /** A POST that only asks. */
  reads?: true;
  handler: Handler;
}

interface Needs {
  routes: readonly Route[];
  /** Whole apps that see to their own credentials, by their prefix. */
  open: Readonly<Record<string, Hono>>;
  identity: IdentityService;
  rights: Rights;
  database: string;
  /** The hosted sign-in provider whose tokens are accepted; null: there is none. */
  provider?: ProviderTokens | null;
  /** Whoever brings no credentials may read checks, and nothing else. */
  standalone?: boolean;
  /** What several readers are given of one another, until somebody writes. */
  shared?: SharedAnswers;
  observe: Observe;
  metrics: Metrics;
}

/** The API as one Hono app: authentication, rights, the table, and errors that say little and are reported once. */
export function createRouter(needs: Needs): Hono<ApiEnv> & { table: readonly Route[] } {
  const { routes, open, rights, standalone = false, shared, observe, metrics } = needs;
  const app = new Hono<ApiEnv>();
  const authenticated = authentication(needs);
  for (const [prefix, inner] of Object.entries(open)) app.route(prefix, inner);
  for (const { method, path, who, about, agents = false, reads = false, handler } of routes) {
    const answered = async (c: ApiContext) => {
      try {
        return await handler(c);
      } finally {
        if (!reads && !["GET", "HEAD", "OPTIONS"].includes(c.req.method)) shared?.forget();
      }
    };
    const measured = async (c: ApiContext) => {
      const from = performance.now();
      const response = await answered(c);
      metrics.answered(c.req.method, path, response.status, (performance.now() - from) / 1000);
      return response;
    };
    const guards =
      who === "anyone"
        ? []
        : [
            authenticated(standalone && isOpenToStrangers(method, path)),
            about ? allowedOne(who, about, rights, agents) : allowed(who, agents),
          ];
    app.on(
      method === "ALL" ? ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] : [method],
      [path],
      ...guards,
      measured,
    );
  }
  app.all("*", authenticated(), (c) => c.json({ error: "Not Found" }, 404));
  app.onError((error, c) => {
    if (error instanceof ApiError) return c.json({ error: error.message }, error.status);
    const refusal = refusalOf(error);
    if (refusal) return c.json({ error: refusal }, 403);
    const id = crypto.randomUUID().slice(0, 8);
    const words = error instanceof Error ? error.message : String(error);
    const down = isDatabaseAway(error);
    const status = down ? 503 : 500;
    observe({ kind: "http.failed", id, method: c.req.method, path: c.req.path, status, error: words });
    if (down) return c.json({ error: "The database cannot be reached." }, 503, { "Retry-After": "1" });
    return c.json({ error: `Internal error ${id}.` }, 500);
  });
  return Object.assign(app, { table: routes });
}

/** What PostgreSQL refuses a caller; in the words of the function that did, where one of ours did. */
function refusalOf(error: unknown): string | null {
  const { code, routine, message } = (error ?? {}) as { code?: string; routine?: string; message?: string };
  if (code !== "42501") return null;
  return routine === "exec_stmt_raise" && message ? message : "unauthorized. Access Denied";
}

/** Who calls, or the refusal. `lets`: strangers may, too. */
function authentication({ identity, database, provider = null }: Needs) {
  return (lets = false) =>
    async (c: ApiContext, next: Next) => {
      const unknown = lets ? stranger(c, database) : null;
      if (unknown) {
        c.set("principal", unknown);
        return next();
      }
      const found = await authenticate(c, identity, database, provider);
      if ("refused" in found) return c.text(found.words, found.refused);
      c.set("principal", found.principal);
      return next();
    };
}

function allowed(who: Permission | "signed-in" | "admin", agents: boolean) {
  return async (c: ApiContext, next: Next) => {
    const { roles, isAgent } = c.get("principal");
    const fine = isAgent
      ? agents
      : who === "signed-in" || (who === "admin" ? roles.includes("admin") : may(roles, who));
    return fine ? next() : denied(c);
  };
}

/** As `allowed`, with what records say of the one resource. What is hidden from the caller does not exist for them. */
function allowedOne(who: Route["who"], { right, kind, param }: About, rights: Rights, agents: boolean) {
  return async (c: ApiContext, next: Next) => {
    const principal = c.get("principal");
    if (principal.isAgent && !agents) return denied(c);
    const [verdict] = await rights.of(principal, kind, c.req.param(param) ?? "", [right]);
    if (verdict === "no") return denied(c);
    if (verdict === "yes") return next();
    return who === "anyone" || who === "signed-in" || who === "admin" || may(principal.roles, who)
      ? c.json({ error: `There is no such ${kind}` }, 404)
      : denied(c);
  };
}
