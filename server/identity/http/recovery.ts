/** `self-service/recovery`: into one's account without the password, by a code that is mailed or by a link. */
import { Hono, type Context } from "hono";
import { beginFlow } from "../flow.ts";
import type { Proven } from "../parts.ts";
import { problems } from "../problem.ts";
import { texts } from "../texts.ts";
import { digest } from "../tokens.ts";
import { clientAddress, wantsJson, type Browser } from "./browser.ts";
import { createCodeFlow, type Proved } from "./code-flow.ts";
import type { Flows, Submission } from "./flows.ts";
import type { Service } from "./service.ts";
import { PRIVILEGED_MINUTES } from "./settings.ts";

export function recoveryRoutes(service: Service, browser: Browser, flows: Flows): Hono {
  const { store, changes, links, settingsParts, note, now } = service;
  const byCode = createCodeFlow("recovery", service, browser, flows);

  async function begin(c: Context) {
    if (await browser.session(c))
      throw problems.sessionAlreadyAvailable(links.home(links.returnTo(c.req.query("return_to"))));
    return byCode.begin(c);
  }

  const proved =
    (c: Context) =>
    async ({ flow }: Submission, { personId, address }: Proved) => {
      await changes.verify(personId, address, now());
      await store.flows.save({
        ...flow,
        state: "passed_challenge",
        nodes: [],
        messages: [],
        updatedAt: now(),
      });
      return recovered(c, { personId, method: "code_recovery" }, flow.returnTo);
    };

  /** Spends a link that was handed over by an administrator or printed by the command. */
  async function redeem(c: Context) {
    const { flow: id = "", token } = c.req.query();
    if (!token)
      throw problems.badRequest(
        "A recovery request was made but no recovery token was included in the request, please retry the flow.",
      );
    const personId = await store.flows.takeRecovery(id, digest(token), now());
    if (!personId) throw problems.recoveryLinkInvalid();
    return recovered(c, { personId, method: "link_recovery" }, null);
  }

  /** Signs in and leads to a settings flow where a new password is chosen. */
  async function recovered(c: Context, proven: Proven, returnTo: string | null) {
    const known = await browser.session(c);
    const { session, csrf } = await browser.openSession(c, proven, { aal: "aal1", known });
    const { personId, method } = proven;
    const event = { personId, email: null, client: clientAddress(c), method };
    await note({ action: "recovery", ...event });
    await note({ action: "sign-in", ...event });
    const begun = beginFlow(
      {
        kind: "settings",
        requestUrl: links.service("settings/browser", { return_to: returnTo }),
        returnTo,
        identityId: personId,
        csrfHash: digest(csrf),
        messages: [texts.recovered(PRIVILEGED_MINUTES)],
      },
      now(),
    );
    const identity = await store.identities.find(personId);
    if (!identity) throw problems.sessionInactive();
    const context = browser.contextFor(c, begun, session);
    const nodes = await Promise.all(settingsParts.map((part) => part.nodes(begun, identity, context)));
    await store.flows.save({ ...begun, nodes: nodes.flat() });
    const page = links.page("settings", { flow: begun.id });
    if (wantsJson(c)) throw problems.locationChange(page);
    return c.redirect(page, 303);
  }

  return new Hono()
    .get("/browser", begin)
    .get("/flows", (c) => flows.lookUp(c, "recovery"))
    .get("/", redeem)
    .post("/", (c) => (c.req.query("token") === undefined ? byCode.submit(c, proved(c)) : redeem(c)));
}
