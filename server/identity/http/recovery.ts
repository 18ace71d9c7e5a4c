/** `self-service/recovery`: getting into one's account without the password. */
import { Hono, type Context } from "hono";
import { beginFlow, type Flow } from "../flow.ts";
import { problems } from "../problem.ts";
import { texts } from "../texts.ts";
import { digest } from "../tokens.ts";
import { wantsJson, type Browser } from "./browser.ts";
import type { Service } from "./service.ts";
import { PRIVILEGED_MINUTES } from "./settings.ts";

export function recoveryRoutes(service: Service, browser: Browser): Hono {
  const { store, links, settingsParts, now, observe } = service;

  /** Spends the link, signs its owner in and leads to a settings flow where a new password is chosen. */
  async function redeem(c: Context) {
    const { flow: id = "", token } = c.req.query();
    if (!token)
      throw problems.badRequest(
        "A recovery request was made but no recovery token was included in the request, please retry the flow.",
      );
    const personId = await store.flows.takeRecovery(id, digest(token), now());
    if (!personId) throw problems.recoveryLinkInvalid();
    const known = await browser.session(c);
    const proven = { personId, method: "link_recovery" as const };
    const { session, csrf } = await browser.openSession(c, proven, { aal: "aal1", known });
    observe({ kind: "identity.signed-in", identity: personId });
    const begun = beginFlow(
      {
        kind: "settings",
        requestUrl: links.service("settings/browser"),
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
    const settings: Flow = { ...begun, nodes: nodes.flat() };
    await store.flows.save(settings);
    const page = links.page("settings", { flow: settings.id });
    if (wantsJson(c)) throw problems.locationChange(page);
    return c.redirect(page, 303);
  }

  return new Hono().get("/", redeem).post("/", redeem);
}
