/** `self-service/settings`: what people change of their own account, section by section. */
import { Hono, type Context } from "hono";
import { refuse, type Flow } from "../flow.ts";
import type { UiNode } from "../nodes.ts";
import { partOf, type ContinueWith, type PartContext } from "../parts.ts";
import { problems } from "../problem.ts";
import type { Session } from "../store/sessions.ts";
import { noStrategy, texts, type UiText } from "../texts.ts";
import { clientAddress, wantsJson, type Browser } from "./browser.ts";
import type { Flows, Submission } from "./flows.ts";
import type { Service } from "./service.ts";

/** Minutes after signing in during which credentials may be changed without confirming (facts/engines.md §14). */
export const PRIVILEGED_MINUTES = 15;

export function settingsRoutes(service: Service, browser: Browser, flows: Flows): Hono {
  const { store, links, settingsParts, note, now } = service;
  const draw = (flow: Flow, ctx: PartContext) => drawSettings(service, flow, ctx);

  async function sessionFor(c: Context, returnTo: string | null): Promise<Session> {
    const session = await browser.session(c);
    const settings = links.service("settings/browser", { return_to: returnTo });
    if (!session) throw problems.sessionInactive(links.service("login/browser", { return_to: settings }));
    if (session.owesSecond)
      throw problems.sessionAal2Required(
        links.service("login/browser", { aal: "aal2", return_to: settings }),
      );
    return session;
  }

  async function begin(c: Context) {
    const returnTo = links.returnTo(c.req.query("return_to"));
    const session = await sessionFor(c, returnTo);
    const begun = {
      kind: "settings" as const,
      requestUrl: links.service("settings/browser", { return_to: returnTo }),
      returnTo,
      identityId: session.personId,
    };
    return flows.begin(c, begun, draw);
  }

  async function lookUp(c: Context) {
    const session = await sessionFor(c, null);
    const flow = await store.flows.find("settings", c.req.query("id") ?? "");
    if (flow && flow.identityId !== session.personId) throw problems.identityMismatch();
    return flows.lookUp(c, "settings");
  }

  async function submit(c: Context) {
    const session = await sessionFor(c, null);
    const submission = await flows.submitted(c, "settings", draw);
    const { flow, form } = submission;
    if (flow.identityId !== session.personId) throw problems.identityMismatch();
    const identity = await store.identities.find(session.personId);
    if (!identity) throw problems.sessionInactive();

    const part = partOf(settingsParts, form);
    if (!part) return flows.complain(c, submission, [{ message: noStrategy("settings") }]);
    const ctx = browser.contextFor(c, flow, session);
    const input = { flow, form, ctx, identity };
    if (part.needsFreshSession(input)) await requireFresh(submission, session);
    const answer = await part.submit(input);
    if ("complaints" in answer) return flows.complain(c, submission, answer.complaints);
    if ("redirect" in answer) {
      await store.flows.save(flow);
      if (wantsJson(c)) throw problems.locationChange(answer.redirect);
      return c.redirect(answer.redirect, 303);
    }
    if ("again" in answer) {
      const nodes = replaceGroup(flow.nodes, part.group, answer.again);
      return saved(c, submission, { ...flow, nodes, state: "show_form", messages: answer.messages ?? [] });
    }
    if (answer.proved) {
      const { method, aal } = answer.proved;
      await browser.openSession(c, { personId: session.personId, method }, { aal, known: session });
    }
    await note({
      action: "settings-change",
      personId: session.personId,
      email: null,
      client: clientAddress(c),
      reason: part.group,
    });
    const nodes = await draw(flow, ctx);
    const messages: UiText[] = answer.messages ?? [texts.saved];
    return saved(c, submission, { ...flow, nodes, state: "success", messages }, answer.continueWith);
  }

  /**
   * Credentials are changed only soon after signing in; what was typed, but secrets, is there again afterwards.
   * @throws Problem session_refresh_required
   */
  async function requireFresh({ flow, form }: Submission, session: Session): Promise<void> {
    const age = now().getTime() - session.authenticatedAt.getTime();
    if (age <= PRIVILEGED_MINUTES * 60_000) return;
    await store.flows.save(refuse(flow, form, [], now()));
    const back = links.page("settings", { flow: flow.id });
    throw problems.sessionRefreshRequired(
      links.service("login/browser", { refresh: "true", return_to: back }),
    );
  }

  async function saved(c: Context, { csrf }: Submission, after: Flow, continueWith: ContinueWith[] = []) {
    const flow = { ...after, updatedAt: now() };
    await store.flows.save(flow);
    const isDone = flow.state === "success" && continueWith.length === 0;
    if (!wantsJson(c) && isDone && flow.returnTo) return c.redirect(links.home(flow.returnTo), 303);
    return flows.present(c, flow, csrf, { continue_with: continueWith });
  }

  return new Hono().get("/browser", begin).get("/flows", lookUp).post("/", submit);
}

/** All sections, as they stand now. */
export async function drawSettings({ store, settingsParts }: Service, flow: Flow, ctx: PartContext) {
  const identity = flow.identityId && (await store.identities.find(flow.identityId));
  if (!identity) throw problems.sessionInactive();
  const nodes = await Promise.all(settingsParts.map((part) => part.nodes(flow, identity, ctx)));
  return nodes.flat();
}

/** The nodes with those of one group replaced, in their place. */
function replaceGroup(nodes: UiNode[], group: UiNode["group"], by: UiNode[]): UiNode[] {
  const at = nodes.findIndex((node) => node.group === group);
  const others = nodes.filter((node) => node.group !== group);
  others.splice(at < 0 ? others.length : at, 0, ...by);
  return others;
}
