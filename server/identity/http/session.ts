/** `self-service/logout`, `sessions` and `self-service/errors`. */
import { Hono, type Context } from "hono";
import { Problem, problems } from "../problem.ts";
import type { Identity } from "../store/identities.ts";
import type { Session } from "../store/sessions.ts";
import { digest, logoutToken, sameDigest } from "../tokens.ts";
import { clientAddress, presentedToken, wantsJson, type Browser } from "./browser.ts";
import { renderSession } from "./render.ts";
import type { Service } from "./service.ts";

export function logoutRoutes({ store, links, note }: Service, browser: Browser): Hono {
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
      await note({ action: "sign-out", personId: session.personId, email: null, client: clientAddress(c) });
    }
    browser.clearSession(c);
    return wantsJson(c) ? c.body(null, 204) : c.redirect(after, 303);
  }

  return new Hono().get("/browser", begin).get("/", finish);
}

/** Always JSON, as the public API has it: no browser is sent here by a link. */
export function sessionRoutes(service: Service, browser: Browser): Hono {
  const { store, links, note, now } = service;

  /** The session with its identity, or what is in its way. */
  async function current(c: Context): Promise<{ session: Session; identity: Identity } | Problem> {
    const session = await browser.session(c);
    const identity = session && (await store.identities.find(session.personId));
    if (!session || !identity) return problems.sessionInactive();
    if (session.owesSecond)
      return problems.sessionAal2Required(links.service("login/browser", { aal: "aal2" }));
    return { session, identity };
  }

  const noted = (c: Context, { personId }: Session, reason: string) =>
    note({ action: "session-ended", personId, email: null, client: clientAddress(c), by: personId, reason });

  async function whoami(c: Context) {
    const found = await current(c);
    if (found instanceof Problem) return c.json(found.body, found.status);
    c.header("x-kratos-authenticated-identity-id", found.identity.id);
    return c.json(renderSession(found.session, found.identity, links));
  }

  /** The others of the same person. */
  async function list(c: Context) {
    const found = await current(c);
    if (found instanceof Problem) return c.json(found.body, found.status);
    const { session, identity } = found;
    const all = await store.sessions.ofPerson(session.personId, now());
    return c.json(
      all.filter(({ id }) => id !== session.id).map((other) => renderSession(other, identity, links)),
    );
  }

  async function endOthers(c: Context) {
    const found = await current(c);
    if (found instanceof Problem) return c.json(found.body, found.status);
    const count = await store.sessions.endAllOf(found.session.personId, found.session.id);
    await noted(c, found.session, `${count} others`);
    return c.json({ count });
  }

  /** Not one's own: that is signing out. */
  async function endOne(c: Context) {
    const found = await current(c);
    if (found instanceof Problem) return c.json(found.body, found.status);
    const { session } = found;
    const id = c.req.param("id") ?? "";
    if (id === session.id) {
      const own = problems.badRequest("This is the session you use: sign out to end it.");
      return c.json(own.body, own.status);
    }
    if (!(await store.sessions.endOf(session.personId, id))) return c.json(problems.notFound().body, 404);
    await noted(c, session, id);
    return c.body(null, 204);
  }

  return new Hono().get("/whoami", whoami).get("/", list).delete("/", endOthers).delete("/:id", endOne);
}

export function errorRoutes({ store, now }: Service): Hono {
  return new Hono().get("/", async (c) => {
    const found = await store.flows.findError(c.req.query("id") ?? "", now());
    if (!found) return c.json(problems.notFound().body, 404);
    const at = found.at.toISOString();
    return c.json({ id: found.id, error: found.error, created_at: at, updated_at: at });
  });
}
