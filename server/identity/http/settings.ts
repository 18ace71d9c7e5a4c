/** `self-service/settings`, password method only, and `self-service/recovery` as far as a printed link needs it. */
import { Hono, type Context } from "hono";
import { beginFlow, settingsNodes } from "../flow.ts";
import { hashPassword } from "../passwords.ts";
import { problems } from "../problem.ts";
import { passwordComplaints } from "../registration.ts";
import type { Session } from "../store/sessions.ts";
import { texts } from "../texts.ts";
import { digest } from "../tokens.ts";
import { wantsJson, type Browser } from "./browser.ts";
import type { Flows } from "./flows.ts";
import type { Service } from "./service.ts";

/** Minutes after signing in during which the password may be changed without confirming (facts/engines.md §14). */
const PRIVILEGED_MINUTES = 15;

export function settingsRoutes(service: Service, browser: Browser, flows: Flows): Hono {
  const { store, links, now } = service;

  async function sessionFor(c: Context, returnTo: string | null): Promise<Session> {
    const session = await browser.session(c);
    if (session) return session;
    const settings = links.service("settings/browser", { return_to: returnTo });
    throw problems.sessionInactive(links.service("login/browser", { return_to: settings }));
  }

  async function begin(c: Context) {
    const returnTo = links.returnTo(c.req.query("return_to"));
    const session = await sessionFor(c, returnTo);
    return flows.begin(c, {
      kind: "settings",
      requestUrl: links.service("settings/browser", { return_to: returnTo }),
      returnTo,
      identityId: session.personId,
      nodes: settingsNodes(),
    });
  }

  async function lookUp(c: Context) {
    const session = await sessionFor(c, null);
    const flow = await store.flows.find("settings", c.req.query("id") ?? "");
    if (flow && flow.identityId !== session.personId) throw problems.identityMismatch();
    return flows.lookUp(c, "settings");
  }

  async function submit(c: Context) {
    const session = await sessionFor(c, null);
    const submission = await flows.submitted(c, "settings");
    const { flow, form, csrf } = submission;
    if (flow.identityId !== session.personId) throw problems.identityMismatch();
    const missing = flows.missing(submission);
    if (missing.length > 0) return flows.complain(c, submission, missing);
    if (now().getTime() - session.authenticatedAt.getTime() > PRIVILEGED_MINUTES * 60_000) {
      const back = links.page("settings", { flow: flow.id });
      throw problems.sessionRefreshRequired(
        links.service("login/browser", { refresh: "true", return_to: back }),
      );
    }
    const password = form.get("password") ?? "";
    const complaints = passwordComplaints(password, session.email ?? "");
    if (complaints.length > 0) return flows.complain(c, submission, complaints);

    await store.identities.changePassword(session.personId, await hashPassword(password), session.id, now());
    const nodes = flow.nodes.map((node) => ({ ...node, messages: [] }));
    const saved = { ...flow, nodes, state: "success" as const, messages: [texts.saved], updatedAt: now() };
    await store.flows.save(saved);
    if (!wantsJson(c) && flow.returnTo) return c.redirect(links.home(flow.returnTo), 303);
    return flows.present(c, saved, csrf);
  }

  return new Hono().get("/browser", begin).get("/flows", lookUp).post("/", submit);
}

export function recoveryRoutes(service: Service, browser: Browser): Hono {
  const { store, links, now, observe } = service;

  /** Spends the link, signs its owner in and leads to a settings flow where a new password is chosen. */
  async function redeem(c: Context) {
    const { flow: id = "", token } = c.req.query();
    if (!token)
      throw problems.badRequest(
        "A recovery request was made but no recovery token was included in the request, please retry the flow.",
      );
    const identityId = await store.flows.takeRecovery(id, digest(token), now());
    if (!identityId) throw problems.recoveryLinkInvalid();
    const replaces = await browser.session(c);
    const { csrf } = await browser.openSession(c, identityId, { method: "link_recovery", replaces });
    observe({ kind: "identity.signed-in", identity: identityId });
    const settings = beginFlow(
      {
        kind: "settings",
        requestUrl: links.service("settings/browser"),
        identityId,
        csrfHash: digest(csrf),
        nodes: settingsNodes(),
        messages: [texts.recovered(PRIVILEGED_MINUTES)],
      },
      now(),
    );
    await store.flows.save(settings);
    const page = links.page("settings", { flow: settings.id });
    if (wantsJson(c)) throw problems.locationChange(page);
    return c.redirect(page, 303);
  }

  return new Hono().get("/", redeem).post("/", redeem);
}
