/** `self-service/methods/oidc/callback/:provider`: back from an account elsewhere, into the flow that led there. */
import { Hono, type Context } from "hono";
import { isExpired, refuse, type Flow } from "../flow.ts";
import { problems } from "../problem.ts";
import { keepPending, linkPending } from "../social/pending.ts";
import { SocialFailure, type SocialAccount } from "../social/provider.ts";
import { socialTexts } from "../social/texts.ts";
import type { Account } from "../store/identities.ts";
import type { Elsewhere } from "../store/social-links.ts";
import { texts, type UiText } from "../texts.ts";
import { clientAddress, type Browser } from "./browser.ts";
import { secondStep } from "./login.ts";
import { isOpen, wayOf } from "./registration-way.ts";
import type { Service } from "./service.ts";
import { drawSettings } from "./settings.ts";
import { createSocialRegistration } from "./social-registration.ts";

const elsewhere = ({ issuer, subject, provider }: SocialAccount): Elsewhere => ({
  issuer,
  subject,
  provider: provider.id,
});

export function socialRoutes(service: Service, browser: Browser): Hono {
  const { store, links, social, note, now } = service;
  const { providers, linked } = social;
  const register = createSocialRegistration(service);

  async function callback(c: Context) {
    const provider = providers.find(c.req.param("provider") ?? "");
    if (!provider) throw problems.notFound();
    const state = c.req.query("state") ?? "";
    const flow = await flowOf(state);
    browser.ownCsrf(c, flow); // the browser that began it, and no other
    if (isExpired(flow, now())) {
      const restart = links.service(`${flow.kind}/browser`, { return_to: flow.returnTo });
      throw problems.flowExpired(flow.kind, restart);
    }
    const visit = await social.visitOf((name) => store.flows.take(flow.id, name));
    if (visit?.state !== state || visit.provider !== provider.id) throw problems.csrfViolation();
    try {
      const account = await providers.finish(provider, visit, new URL(c.req.url).searchParams);
      if (flow.kind === "settings") return await link(c, flow, account);
      return await enter(c, flow, account);
    } catch (error) {
      if (!(error instanceof SocialFailure)) throw error;
      return await again(c, flow, social.told(error).message, { isFailure: !error.isChoice });
    }
  }

  /** The flow whose visit this answers: `state` begins with its kind and id. @throws Problem security_csrf_violation */
  async function flowOf(state: string): Promise<Flow> {
    const [kind, id = ""] = state.split(".");
    const isOurs = kind === "login" || kind === "registration" || kind === "settings";
    const flow = isOurs ? await store.flows.find(kind, id) : null;
    if (!flow) throw problems.csrfViolation();
    return flow;
  }

  /** Signed in; or sent to sign in first; or a new account, where those are made by themselves or by a link. */
  async function enter(c: Context, flow: Flow, account: SocialAccount): Promise<Response> {
    const { provider, email } = account;
    const session = await browser.session(c);
    if (session && flow.identityId !== null && flow.identityId !== session.personId)
      throw problems.identityMismatch();
    if (session && !flow.refresh) throw problems.sessionAlreadyAvailable(links.home(flow.returnTo));
    const known = await linked.personOf(account);
    if (known && flow.secretHash) return again(c, flow, socialTexts.somebodys(provider));
    if (known && !known.isActive) return again(c, flow, socialTexts.disabled);
    if (known && flow.identityId !== null && known.personId !== flow.identityId)
      return again(c, flow, socialTexts.notLinked(provider));
    if (known) return open(c, flow, known.personId);
    if (flow.identityId !== null) return again(c, flow, socialTexts.notLinked(provider));
    if (flow.kind === "registration") return signUp(c, flow, account);

    // An address that nobody vouches for does not say whose account it is, and must not tell whether there is one.
    if (email === null) return again(c, flow, socialTexts.noEmail(provider));
    const owner = await store.identities.findAccount(email);
    if (owner) return offer(c, flow, account, owner);
    if (!(await isOpen(service))) return again(c, flow, socialTexts.noAccount(provider));
    return signUp(c, flow, account);
  }

  /** Somebody's e-mail: they sign in first, by any other way in this flow, and the account is theirs from then on. */
  async function offer(c: Context, flow: Flow, account: SocialAccount, { person, active }: Account) {
    const { provider, email } = account;
    if (!active) return again(c, flow, socialTexts.disabled);
    if (await store.invitations.find(person.personId)) return again(c, flow, socialTexts.invited);
    keepPending(flow, elsewhere(account), person.personId);
    const nodes = flow.nodes.filter(
      ({ group, attributes }) =>
        group !== "oidc" || !("value" in attributes) || attributes.value !== provider.id,
    );
    const message = socialTexts.linkFirst(email ?? "", provider);
    return again(c, { ...flow, nodes }, message, { isFailure: false });
  }

  async function signUp(c: Context, flow: Flow, account: SocialAccount): Promise<Response> {
    const way = await wayOf(service, flow.secretHash);
    const registered = await register(way, account, elsewhere(account), clientAddress(c));
    if ("refused" in registered) return again(c, flow, registered.refused);
    return open(c, flow, registered.id);
  }

  async function open(c: Context, flow: Flow, personId: string): Promise<Response> {
    const known = await browser.session(c);
    const { session } = await browser.openSession(c, { personId, method: "oidc" }, { aal: "aal1", known });
    await store.flows.remove(flow.id);
    const client = clientAddress(c);
    await note({ action: "sign-in", personId, method: "oidc", email: null, client });
    await linkPending({ linked, note }, flow, { personId, client });
    return c.redirect(session.owesSecond ? secondStep(links, flow.returnTo) : links.home(flow.returnTo), 303);
  }

  /** The settings flow's own person, still signed in. */
  async function link(c: Context, flow: Flow, account: SocialAccount): Promise<Response> {
    const session = await browser.session(c);
    if (!session || session.owesSecond || session.personId !== flow.identityId)
      throw problems.identityMismatch();
    const { personId } = session;
    const outcome = await linked.link(elsewhere(account), personId);
    if (outcome !== "done") return again(c, flow, socialTexts[outcome](account.provider));
    await note({
      action: "settings-change",
      personId,
      email: null,
      client: clientAddress(c),
      reason: "oidc",
    });
    const nodes = await drawSettings(service, flow, browser.contextFor(c, flow, session));
    const messages: UiText[] = [texts.saved];
    await store.flows.save({ ...flow, nodes, messages, state: "success", updatedAt: now() });
    return back(c, flow);
  }

  /** The form again, which says why; a failure is noted. */
  async function again(
    c: Context,
    flow: Flow,
    message: UiText,
    { isFailure = true } = {},
  ): Promise<Response> {
    if (isFailure && flow.kind === "login")
      await note({
        action: "sign-in-failed",
        personId: flow.identityId,
        email: null,
        client: clientAddress(c),
        reason: `oidc: ${message.text}`,
      });
    await store.flows.save(refuse(flow, new Map(), [{ message }], now()));
    return back(c, flow);
  }

  const back = (c: Context, { kind, id, returnTo }: Flow) =>
    c.redirect(links.page(kind, { flow: id, return_to: links.path(returnTo) }), 303);

  return new Hono().get("/callback/:provider", callback);
}
