/** `self-service/registration`: the first run's admin by the set-up link, and others where registration is open. */
import { Hono, type Context } from "hono";
import { registrationNodes } from "../nodes.ts";
import { missingOf } from "../parts.ts";
import { hashPassword } from "../passwords.ts";
import { problems } from "../problem.ts";
import { passwordComplaints, readTraits, traitComplaints } from "../registration.ts";
import type { Permit } from "../store/identities.ts";
import { noStrategy, texts } from "../texts.ts";
import { digest } from "../tokens.ts";
import { wantsJson, type Browser } from "./browser.ts";
import type { Flows } from "./flows.ts";
import { renderIdentity, renderSession } from "./render.ts";
import type { Service } from "./service.ts";

const CLOSED = {
  setup:
    "This set-up link is not valid any more: it was used, or it is too old. A start without accounts prints a new one.",
  empty:
    "Registration is not open. Nobody has an account yet: open the set-up link that was printed when the product started.",
  people: "Registration is not open. Ask an administrator for an account.",
} as const;

export function registrationRoutes(service: Service, browser: Browser, flows: Flows): Hono {
  const { store, links, now, observe } = service;

  /**
   * What lets this registration through: an open set-up link, or the property. Never the property alone while there is
   * nobody, or a stranger could come before the admin.
   * @throws Problem self_service_flow_disabled
   */
  async function permitFor(secretHash: Buffer | null): Promise<Permit> {
    if (secretHash && (await store.flows.isSetupOpen(secretHash, now()))) return { setup: secretHash };
    const empty = await store.identities.isEmpty();
    if (!empty && (await store.identities.isRegistrationOpen())) return { open: true };
    throw problems.registrationClosed(secretHash ? CLOSED.setup : empty ? CLOSED.empty : CLOSED.people);
  }

  async function begin(c: Context) {
    const { return_to, setup } = c.req.query();
    const returnTo = links.returnTo(return_to);
    if (await browser.session(c)) throw problems.sessionAlreadyAvailable(links.home(returnTo));
    const permit = await permitFor(setup ? digest(setup) : null);
    const begun = {
      kind: "registration" as const,
      // Without the set-up token: a flow is kept and shown.
      requestUrl: links.service("registration/browser", { return_to: returnTo }),
      returnTo,
      secretHash: "setup" in permit ? permit.setup : null,
    };
    return flows.begin(c, begun, draw);
  }

  const draw = async () => registrationNodes();

  async function submit(c: Context) {
    const submission = await flows.submitted(c, "registration", draw);
    const { flow, form } = submission;
    if (await browser.session(c)) throw problems.sessionAlreadyAvailable(links.home(flow.returnTo));
    const permit = await permitFor(flow.secretHash);

    const traits = readTraits(form);
    const password = form.get("password") ?? "";
    if (form.get("method") !== "password")
      return flows.complain(c, submission, [{ message: noStrategy("registration") }]);
    const missing = missingOf(submission, ["default", "password"]);
    const complaints =
      missing.length > 0
        ? missing
        : [...traitComplaints(traits), ...passwordComplaints(password, traits.email)];
    if (complaints.length > 0) return flows.complain(c, submission, complaints);

    const role = "setup" in permit ? "admin" : null;
    const created = await store.identities.create(
      { traits, passwordHash: await hashPassword(password), role },
      permit,
      now(),
    );
    if ("refused" in created) {
      if (created.refused === "not permitted") throw problems.registrationClosed(CLOSED.setup);
      return flows.complain(c, submission, [{ message: texts.accountExists }]);
    }
    observe({ kind: "identity.registered", identity: created.id });
    await store.flows.remove(flow.id);
    return welcome(c, created.id, links.home(flow.returnTo));
  }

  /** Whoever registered is signed in (facts/engines.md §14: auto-session). */
  async function welcome(c: Context, id: string, location: string) {
    const proven = { personId: id, method: "password" as const };
    const { session } = await browser.openSession(c, proven, { aal: "aal1", known: null });
    observe({ kind: "identity.signed-in", identity: id });
    if (!wantsJson(c)) return c.redirect(location, 303);
    const identity = await store.identities.find(id);
    if (!identity) throw problems.sessionInactive();
    return c.json({
      session: renderSession(session, identity, links),
      identity: renderIdentity(identity, links),
      continue_with: [{ action: "redirect_browser_to", redirect_browser_to: location }],
    });
  }

  return new Hono()
    .get("/browser", begin)
    .get("/flows", (c) => flows.lookUp(c, "registration"))
    .post("/", submit);
}
