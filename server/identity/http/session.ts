/** `self-service/logout`, `sessions/whoami` and `self-service/errors`. */
import { Hono, type Context } from "hono";
import { problems } from "../problem.ts";
import { digest, logoutToken, sameDigest } from "../tokens.ts";
import { presentedToken, wantsJson, type Browser } from "./browser.ts";
import { renderSession } from "./render.ts";
import type { Service } from "./service.ts";

export function logoutRoutes({ store, links }: Service, browser: Browser): Hono {
  async function begin(c: Context) {
    const returnTo = links.returnTo(c.req.query("return_to"));
    const token = presentedToken(c);
    if (token === null || !(await browser.session(c))) throw problems.sessionInactive(links.page("login"));
    const logout_token = logoutToken(token);
    const logout_url = links.service("logout", { token: logout_token, return_to: returnTo });
    return c.json({ logout_url, logout_token });
  }

  /** Only the session's own token signs it out, so a link on another site cannot. */
  async function finish(c: Context) {
    const after = links.home(links.returnTo(c.req.query("return_to")), "/login");
    const session = await browser.session(c);
    const token = presentedToken(c);
    if (session && token !== null) {
      const sent = digest(c.req.query("token") ?? "");
      if (!sameDigest(sent, digest(logoutToken(token)))) throw problems.logoutTokenMismatch();
      await store.sessions.end(session.id);
    }
    browser.clearSession(c);
    return wantsJson(c) ? c.body(null, 204) : c.redirect(after, 303);
  }

  return new Hono().get("/browser", begin).get("/", finish);
}

export function sessionRoutes({ store, links, assurance }: Service, browser: Browser): Hono {
  return new Hono().get("/whoami", async (c) => {
    const session = await browser.session(c);
    const identity = session && (await store.identities.find(session.personId));
    // Always JSON, as the public API has it: no browser is sent here by a link.
    if (!session || !identity) return c.json(problems.sessionInactive().body, 401);
    if (session.aal === "aal1" && (await assurance.available(session.personId)) === "aal2")
      return c.json(problems.sessionAal2Required(links.service("login/browser", { aal: "aal2" })).body, 403);
    c.header("x-kratos-authenticated-identity-id", identity.id);
    return c.json(renderSession(session, identity, links));
  });
}

export function errorRoutes({ store, now }: Service): Hono {
  return new Hono().get("/", async (c) => {
    const found = await store.flows.findError(c.req.query("id") ?? "", now());
    if (!found) return c.json(problems.notFound().body, 404);
    const at = found.at.toISOString();
    return c.json({ id: found.id, error: found.error, created_at: at, updated_at: at });
  });
}
