/** `self-service/login`: signing in, confirming that it is still you (`refresh`), and the second factor (`aal=aal2`). */
import { Hono, type Context } from "hono";
import type { Flow } from "../flow.ts";
import type { Links } from "../links.ts";
import { partOf, type PartContext } from "../parts.ts";
import { problems } from "../problem.ts";
import { linkPending } from "../social/pending.ts";
import type { Aal, Session } from "../store/sessions.ts";
import { noStrategy, texts } from "../texts.ts";
import { clientAddress, wantsJson, type Browser } from "./browser.ts";
import type { Flows } from "./flows.ts";
import { renderSession } from "./render.ts";
import type { Service } from "./service.ts";

export function loginRoutes(service: Service, browser: Browser, flows: Flows): Hono {
  const { store, links, loginParts, social, note } = service;

  const partsOf = (flow: Flow) => loginParts.filter(({ aal }) => aal === flow.requestedAal);

  async function draw(flow: Flow, ctx: PartContext) {
    const identity = ctx.session && (await store.identities.find(ctx.session.personId));
    const nodes = await Promise.all(partsOf(flow).map((part) => part.nodes(flow, identity, ctx)));
    return nodes.flat();
  }

  async function begin(c: Context) {
    const { return_to, refresh, aal } = c.req.query();
    const returnTo = links.returnTo(return_to);
    const requestedAal = aalOf(aal);
    const session = await browser.session(c);
    if (requestedAal === "aal2" && !session)
      throw problems.sessionAal1Required(links.service("login/browser", { return_to: returnTo }));
    const again = refresh === "true" && session !== null;
    const stronger = requestedAal === "aal2" && session?.aal === "aal1";
    if (session && !again && !stronger) {
      if (session.owesSecond) throw problems.sessionAal2Required(secondStep(links, returnTo));
      throw problems.sessionAlreadyAvailable(links.home(returnTo));
    }
    const begun = {
      kind: "login" as const,
      requestUrl: links.service("login/browser", { return_to: returnTo, refresh, aal }),
      returnTo,
      refresh: again,
      requestedAal,
      identityId: session?.personId ?? null,
      messages: again ? [texts.reauthenticate] : stronger ? [secondOf(session)] : [],
    };
    return flows.begin(c, begun, draw);
  }

  const secondOf = ({ owesSecond }: Session) => (owesSecond ? texts.secondFactor : texts.noMethodAvailable);

  async function submit(c: Context) {
    const submission = await flows.submitted(c, "login", draw);
    const { flow, form } = submission;
    const session = await browser.session(c);
    const isSecond = flow.requestedAal === "aal2";
    if (isSecond && !session) throw problems.sessionAal1Required(links.service("login/browser"));
    if (session && flow.identityId !== null && flow.identityId !== session.personId)
      throw problems.identityMismatch();
    if (session && !flow.refresh && !isSecond)
      throw problems.sessionAlreadyAvailable(links.home(flow.returnTo));

    const part = partOf(partsOf(flow), form);
    if (!part) return flows.complain(c, submission, [{ message: noStrategy("login") }]);
    const answer = await part.submit({ flow, form, ctx: browser.contextFor(c, flow, session) });
    if ("complaints" in answer) {
      if (answer.failed) await failed(c, session, part.group, answer.failed);
      return flows.complain(c, submission, answer.complaints);
    }
    if ("redirect" in answer) return leave(c, flow, answer.redirect);
    if (flow.identityId !== null && flow.identityId !== answer.personId) throw problems.identityMismatch();

    const opened = await browser.openSession(c, answer, { aal: part.aal, known: session });
    await store.flows.remove(flow.id);
    await note({ action: "sign-in", ...answer, email: null, client: clientAddress(c) });
    const { personId } = answer;
    await linkPending({ linked: social.linked, note }, flow, { personId, client: clientAddress(c) });
    // Whoever has a second factor is asked for it at once: a session without it opens nothing.
    if (opened.session.owesSecond) return goTo(c, secondStep(links, flow.returnTo));
    return welcome(c, opened.session, links.home(flow.returnTo));
  }

  async function failed(
    c: Context,
    session: Session | null,
    group: string,
    { email, reason }: { email: string | null; reason: string },
  ) {
    const personId = session?.personId ?? null;
    await note({
      action: "sign-in-failed",
      personId,
      email,
      client: clientAddress(c),
      reason: `${group}: ${reason}`,
    });
  }

  /** On to another service, which will lead back; what the part kept goes with the flow. */
  async function leave(c: Context, flow: Flow, location: string) {
    await store.flows.save(flow);
    return goTo(c, location);
  }

  function goTo(c: Context, location: string) {
    if (wantsJson(c)) throw problems.locationChange(location);
    return c.redirect(location, 303);
  }

  async function welcome(c: Context, session: Session, location: string) {
    if (!wantsJson(c)) return c.redirect(location, 303);
    const identity = await store.identities.find(session.personId);
    if (!identity) throw problems.sessionInactive();
    return c.json({
      session: renderSession(session, identity, links),
      continue_with: [{ action: "redirect_browser_to", redirect_browser_to: location }],
    });
  }

  return new Hono()
    .get("/browser", begin)
    .get("/flows", (c) => flows.lookUp(c, "login"))
    .post("/", submit);
}

/** Where the second factor is asked for. */
export const secondStep = (links: Links, returnTo: string | null) =>
  links.service("login/browser", { aal: "aal2", return_to: returnTo });

function aalOf(asked: string | undefined): Aal {
  if (!asked) return "aal1";
  if (asked !== "aal1" && asked !== "aal2")
    throw problems.badRequest("Unable to parse the Authenticator Assurance Level (AAL).");
  return asked;
}
