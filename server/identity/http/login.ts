/** `self-service/login`: signing in with a password, and confirming that it is still you (`refresh`). */
import { Hono, type Context } from "hono";
import { loginNodes, type Complaint } from "../flow.ts";
import { problems } from "../problem.ts";
import type { Judgement } from "../sign-in.ts";
import type { Session } from "../store/sessions.ts";
import { texts } from "../texts.ts";
import { waitSentence } from "../throttle.ts";
import { clientAddress, wantsJson, type Browser } from "./browser.ts";
import type { Flows } from "./flows.ts";
import { renderSession } from "./render.ts";
import type { Service } from "./service.ts";

export function loginRoutes(service: Service, browser: Browser, flows: Flows): Hono {
  const { store, links, signIn, observe } = service;

  async function begin(c: Context) {
    const { return_to, refresh, aal = "aal1" } = c.req.query();
    const returnTo = links.returnTo(return_to);
    if (aal !== "" && aal !== "aal1" && aal !== "aal2")
      throw problems.badRequest("Unable to parse the Authenticator Assurance Level (AAL).");
    const session = await browser.session(c);
    const again = refresh === "true" && session !== null;
    if (aal === "aal2" && !session)
      throw problems.sessionAal1Required(links.service("login/browser", { return_to: returnTo }));
    if (session && !again && aal !== "aal2") throw problems.sessionAlreadyAvailable(links.home(returnTo));
    const second = aal === "aal2" && !again;
    return flows.begin(c, {
      kind: "login",
      requestUrl: links.service("login/browser", { return_to: returnTo, refresh, aal: c.req.query("aal") }),
      returnTo,
      refresh: again,
      requestedAal: second ? "aal2" : "aal1",
      identityId: session?.personId ?? null,
      nodes: second ? [] : loginNodes(again ? (session.email ?? undefined) : undefined),
      messages: second ? [texts.noMethodAvailable] : again ? [texts.reauthenticate] : [],
    });
  }

  async function submit(c: Context) {
    const submission = await flows.submitted(c, "login");
    const { flow, form } = submission;
    const session = await browser.session(c);
    if (session && !flow.refresh) throw problems.sessionAlreadyAvailable(links.home(flow.returnTo));
    const missing = flows.missing(submission);
    if (missing.length > 0) return flows.complain(c, submission, missing);

    const email = (form.get("identifier") ?? "").trim();
    const judgement = await signIn.judge(email, form.get("password") ?? "", clientAddress(c));
    if ("refused" in judgement) return flows.complain(c, submission, [complaintOf(judgement)]);
    const { personId } = judgement.person;
    if (flow.refresh && flow.identityId !== personId) throw problems.identityMismatch();

    const opened = await browser.openSession(c, personId, { method: "password", replaces: session });
    await store.flows.remove(flow.id);
    observe({ kind: "identity.signed-in", identity: personId });
    return welcome(c, opened.session, links.home(flow.returnTo));
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

function complaintOf(judgement: Extract<Judgement, { refused: string }>): Complaint {
  switch (judgement.refused) {
    case "credentials":
      return { message: texts.invalidCredentials };
    case "inactive":
      return { message: texts.generic("This account was disabled.") };
    case "throttled":
      return { message: texts.generic(waitSentence(judgement.seconds)) };
  }
}
