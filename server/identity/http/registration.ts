/**
 * `self-service/registration`: the first run's admin by the set-up link, whoever was invited by their link, and others
 * where registration is open.
 */
import { Hono, type Context } from "hono";
import { refuse } from "../flow.ts";
import { registrationNodes, type UiNode } from "../nodes.ts";
import { missingOf } from "../parts.ts";
import { hashPassword } from "../passwords.ts";
import { problems } from "../problem.ts";
import { passwordComplaints, readTraits, traitComplaints, type Traits } from "../registration.ts";
import { noStrategy, texts } from "../texts.ts";
import { waitSentence } from "../throttle.ts";
import { digest } from "../tokens.ts";
import { clientAddress, wantsJson, type Browser } from "./browser.ts";
import type { Flows, Submission } from "./flows.ts";
import { CLOSED, wayOf, type Way } from "./registration-way.ts";
import { renderIdentity, renderSession } from "./render.ts";
import type { Service } from "./service.ts";

type Registered = { id: string; isVerified: boolean } | { refused: "exists" | "not permitted" };

export function registrationRoutes(service: Service, browser: Browser, flows: Flows): Hono {
  const { store, changes, links, limits, verification, social, note, now } = service;
  const draw = (way: Way): UiNode[] => [...nodesFor(way), ...social.registrationNodes()];

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

  /** Spends the link, if it is by one, together with making or completing the account. */
  async function register(way: Way, traits: Traits, passwordHash: string): Promise<Registered> {
    if ("invitation" in way) {
      const { first = "", last = "" } = traits.name ?? {};
      const id = await changes.accept(way.hash, { way: { passwordHash }, first, last }, now());
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
