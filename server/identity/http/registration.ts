/**
 * `self-service/registration`: the first run's admin by the set-up link, whoever was invited by their link, and others
 * where registration is open.
 */
import { Hono, type Context } from "hono";
import { registrationNodes, type UiNode } from "../nodes.ts";
import { missingOf } from "../parts.ts";
import { hashPassword } from "../passwords.ts";
import { problems } from "../problem.ts";
import { passwordComplaints, readTraits, traitComplaints, type Traits } from "../registration.ts";
import type { Permit } from "../store/identities.ts";
import type { Invitation } from "../store/invitations.ts";
import { noStrategy, texts } from "../texts.ts";
import { waitSentence } from "../throttle.ts";
import { digest } from "../tokens.ts";
import { clientAddress, wantsJson, type Browser } from "./browser.ts";
import type { Flows, Submission } from "./flows.ts";
import { renderIdentity, renderSession } from "./render.ts";
import type { Service } from "./service.ts";

const CLOSED = {
  setup:
    "This set-up link is not valid any more: it was used, or it is too old. A start without accounts prints a new one.",
  link: "This set-up link is not valid any more: it was used, or it is too old. Ask an administrator for a new one.",
  empty:
    "Registration is not open. Nobody has an account yet: open the set-up link that was printed when the product started.",
  people: "Registration is not open. Ask an administrator for an account.",
} as const;

/** A link that is open, or the property; with an invitation the account is there already. */
type Way = Permit | { invitation: Invitation; hash: Buffer };
type Registered = { id: string; isVerified: boolean } | { refused: "exists" | "not permitted" };

export function registrationRoutes(service: Service, browser: Browser, flows: Flows): Hono {
  const { store, changes, links, limits, verification, note, now } = service;

  /**
   * What lets this registration through. Never the property alone while there is nobody, or a stranger could come before
   * the admin.
   * @throws Problem self_service_flow_disabled
   */
  async function wayOf(secretHash: Buffer | null): Promise<Way> {
    if (secretHash) {
      if (await store.flows.isSetupOpen(secretHash, now())) return { setup: secretHash };
      const invitation = await store.invitations.opened(secretHash, now());
      if (invitation) return { invitation, hash: secretHash };
    }
    const empty = await store.identities.isEmpty();
    if (!empty && (await store.identities.isRegistrationOpen())) return { open: true };
    if (secretHash) throw problems.registrationClosed(empty ? CLOSED.setup : CLOSED.link);
    throw problems.registrationClosed(empty ? CLOSED.empty : CLOSED.people);
  }

  async function begin(c: Context) {
    const { return_to, setup } = c.req.query();
    const returnTo = links.returnTo(return_to);
    if (await browser.session(c)) throw problems.sessionAlreadyAvailable(links.home(returnTo));
    const secret = setup ? digest(setup) : null;
    const way = await wayOf(secret);
    const begun = {
      kind: "registration" as const,
      // Without the token of the link: a flow is kept and shown.
      requestUrl: links.service("registration/browser", { return_to: returnTo }),
      returnTo,
      secretHash: "open" in way ? null : secret,
    };
    return flows.begin(c, begun, async () => nodesFor(way));
  }

  async function submit(c: Context) {
    const submission = await flows.submitted(c, "registration", async ({ secretHash }) =>
      nodesFor(await wayOf(secretHash)),
    );
    const { flow, form } = submission;
    if (await browser.session(c)) throw problems.sessionAlreadyAvailable(links.home(flow.returnTo));
    const way = await wayOf(flow.secretHash);
    if (form.get("method") !== "password")
      return flows.complain(c, submission, [{ message: noStrategy("registration") }]);

    const typed = readTraits(form);
    const traits = "invitation" in way ? { ...typed, email: way.invitation.email } : typed;
    const password = form.get("password") ?? "";
    const missing = missingOf(submission, ["default", "password"]);
    const complaints =
      missing.length > 0
        ? missing
        : [...traitComplaints(traits), ...passwordComplaints(password, traits.email)];
    if (complaints.length > 0) return flows.complain(c, submission, complaints);
    const taken = await limits.take("registration", { account: traits.email, client: clientAddress(c) });
    if (!taken.ok)
      return flows.complain(c, submission, [{ message: texts.generic(waitSentence(taken.seconds)) }]);

    const registered = await register(way, traits, await hashPassword(password));
    if ("refused" in registered) {
      if (registered.refused === "not permitted") throw problems.registrationClosed(CLOSED.link);
      return flows.complain(c, submission, [{ message: texts.accountExists }]);
    }
    const client = clientAddress(c);
    await note({ action: "registration", personId: registered.id, email: traits.email, client });
    await store.flows.remove(flow.id);
    return welcome(c, submission, registered, traits.email);
  }

  /** Spends the link, if it is by one, together with making or completing the account. */
  async function register(way: Way, traits: Traits, passwordHash: string): Promise<Registered> {
    if ("invitation" in way) {
      const { first = "", last = "" } = traits.name ?? {};
      const id = await changes.accept(way.hash, { passwordHash, first, last }, now());
      return id ? { id, isVerified: way.invitation.mailed } : { refused: "not permitted" };
    }
    const role = "setup" in way ? "admin" : null;
    const created = await store.identities.create({ traits, passwordHash, role }, way, now());
    return "refused" in created ? created : { id: created.id, isVerified: false };
  }

  /** Whoever registered is signed in (facts/engines.md §14: auto-session) and, where mail is sent, verifies next. */
  async function welcome(
    c: Context,
    { flow }: Submission,
    { id, isVerified }: { id: string; isVerified: boolean },
    email: string,
  ) {
    const proven = { personId: id, method: "password" as const };
    const { session, csrf } = await browser.openSession(c, proven, { aal: "aal1", known: null });
    await note({ action: "sign-in", ...proven, email: null, client: clientAddress(c) });
    const begun = { csrfHash: digest(csrf), returnTo: flow.returnTo };
    const next = isVerified ? [] : await verification.begin(begun, email);
    const home = links.home(flow.returnTo);
    if (!wantsJson(c)) {
      const [first] = next;
      return c.redirect(first?.action === "show_verification_ui" ? first.flow.url : home, 303);
    }
    const identity = await store.identities.find(id);
    if (!identity) throw problems.sessionInactive();
    return c.json({
      session: renderSession(session, identity, links),
      identity: renderIdentity(identity, links),
      continue_with: [...next, { action: "redirect_browser_to", redirect_browser_to: home }],
    });
  }

  return new Hono()
    .get("/browser", begin)
    .get("/flows", (c) => flows.lookUp(c, "registration"))
    .post("/", submit);
}

/** The form; of an invitation the address is given and stands there to be read. */
function nodesFor(way: Way): UiNode[] {
  if (!("invitation" in way)) return registrationNodes();
  const { email, first, last } = way.invitation;
  return registrationNodes({ email, first, last }).map((node) =>
    node.type === "input" && node.attributes.name === "traits.email"
      ? { ...node, attributes: { ...node.attributes, disabled: true, required: false } }
      : node,
  );
}
