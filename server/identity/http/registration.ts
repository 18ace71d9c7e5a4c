/**
 * `self-service/registration`: the first run's admin by the set-up link, whoever was invited by their link, and others
 * where registration is open, who prove their address first.
 */
import { randomUUID } from "node:crypto";
import { Hono, type Context } from "hono";
import { refuse } from "../flow.ts";
import { registrationNodes, type UiNode } from "../nodes.ts";
import { missingOf } from "../parts.ts";
import { hashPassword } from "../passwords.ts";
import type { Pending } from "../pending.ts";
import { problems } from "../problem.ts";
import { passwordComplaints, readTraits, traitComplaints, type Traits } from "../registration.ts";
import { SCHEMA, type Identity } from "../store/identities.ts";
import { noStrategy, texts } from "../texts.ts";
import { waitSentence } from "../throttle.ts";
import { digest } from "../tokens.ts";
import { clientAddress, wantsJson, type Browser } from "./browser.ts";
import type { Flows, Submission } from "./flows.ts";
import { CLOSED, wayOf, type Way } from "./registration-way.ts";
import { renderIdentity, renderSession } from "./render.ts";
import type { Service } from "./service.ts";

export function registrationRoutes(service: Service, browser: Browser, flows: Flows): Hono {
  const { store, changes, courier, links, limits, verification, social, note, now } = service;
  /** Without mail nobody can prove an address by a code, but an account elsewhere may vouch for it. */
  const byPassword = (way: Way) => !("open" in way) || courier.isOpen;
  const draw = (way: Way): UiNode[] => [
    ...(byPassword(way) ? nodesFor(way) : []),
    ...social.registrationNodes(),
  ];

  async function begin(c: Context) {
    const { return_to, setup } = c.req.query();
    const returnTo = links.returnTo(return_to);
    if (await browser.session(c)) throw problems.sessionAlreadyAvailable(links.home(returnTo));
    const secret = setup ? digest(setup) : null;
    const way = await wayOf(service, secret);
    const begun = {
      kind: "registration" as const,
      // Without the token of the link: a flow is kept and shown.
      requestUrl: links.service("registration/browser", { return_to: returnTo }),
      returnTo,
      secretHash: "open" in way ? null : secret,
    };
    return flows.begin(c, begun, async () => draw(way));
  }

  async function submit(c: Context) {
    const submission = await flows.submitted(c, "registration", async ({ secretHash }) =>
      draw(await wayOf(service, secretHash)),
    );
    const { flow, form } = submission;
    if (await browser.session(c)) throw problems.sessionAlreadyAvailable(links.home(flow.returnTo));
    const way = await wayOf(service, flow.secretHash);
    if (form.get("method") !== "password" && form.get("provider")) return leave(c, submission);
    if (form.get("method") !== "password")
      return flows.complain(c, submission, [{ message: noStrategy("registration") }]);
    if (!byPassword(way)) throw problems.registrationClosed(CLOSED.mail);

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

    const passwordHash = await hashPassword(password);
    if ("open" in way) return waitForCode(c, submission, { id: randomUUID(), traits, passwordHash });
    const registered = await register(way, traits, passwordHash);
    if (!registered) throw problems.registrationClosed(CLOSED.link);
    const client = clientAddress(c);
    await note({ action: "registration", personId: registered.id, email: traits.email, client });
    await store.flows.remove(flow.id);
    return welcome(c, submission, registered, traits.email);
  }

  /** To an account elsewhere, which will be the way to sign in instead of a password. */
  async function leave(c: Context, submission: Submission): Promise<Response> {
    const { flow, form } = submission;
    const answer = await social.leave(flow, form.get("provider") ?? "");
    if ("complaints" in answer) return flows.complain(c, submission, answer.complaints);
    // Names that were typed are there again for whoever comes back without having signed up.
    await store.flows.save(refuse(flow, form, [], now()));
    if (wantsJson(c)) throw problems.locationChange(answer.redirect);
    return c.redirect(answer.redirect, 303);
  }

  /** The same for an address that somebody has and for one that nobody has: a code is mailed, or seems to be. */
  async function waitForCode(c: Context, { flow }: Submission, pending: Pending) {
    const next = await verification.begin(flow, pending.traits.email, pending);
    await store.flows.remove(flow.id);
    if (!wantsJson(c)) return c.redirect(next[0]?.flow.url ?? links.page("verification"), 303);
    return c.json({ identity: renderIdentity(notYet(pending, now()), links), continue_with: next });
  }

  /** Spends the link together with making or completing the account; null when it is not open any more. */
  async function register(
    way: Exclude<Way, { open: true }>,
    traits: Traits,
    passwordHash: string,
  ): Promise<{ id: string; isVerified: boolean } | null> {
    if ("invitation" in way) {
      const { first = "", last = "" } = traits.name ?? {};
      const id = await changes.accept(way.hash, { way: { passwordHash }, first, last }, now());
      return id ? { id, isVerified: way.invitation.mailed } : null;
    }
    const created = await store.identities.create({ traits, passwordHash, role: "admin" }, way, now());
    return "refused" in created ? null : { id: created.id, isVerified: false };
  }

  /** Whoever registered by a link is signed in (facts/engines.md §14: auto-session) and, where mail is sent, verifies next. */
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
      return c.redirect(next[0]?.flow.url ?? home, 303);
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

/** What will be an identity, as one is shown. */
const notYet = ({ id, traits }: Pending, now: Date): Identity => ({
  id,
  schemaId: SCHEMA,
  traits,
  state: "active",
  stateChangedAt: now,
  createdAt: now,
  updatedAt: now,
  verifiedAt: null,
});

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
