/**
 * `self-service/verification`: showing by a code that mail to one's address arrives. A registration of a stranger is made
 * by it, and signs in.
 */
import { Hono } from "hono";
import { doneNodes } from "../code-nodes.ts";
import { texts } from "../texts.ts";
import { digest } from "../tokens.ts";
import { clientAddress, type Browser } from "./browser.ts";
import { createCodeFlow, type Proved } from "./code-flow.ts";
import type { Flows, Submission } from "./flows.ts";
import type { Service } from "./service.ts";
import type { Context } from "hono";

export function verificationRoutes(service: Service, browser: Browser, flows: Flows): Hono {
  const { changes, links, note, now } = service;
  const { begin, step, submit } = createCodeFlow("verification", service, browser, flows);

  const verified =
    (c: Context) =>
    async (submission: Submission, { personId, address, isNew }: Proved) => {
      const event = { personId, email: address, client: clientAddress(c) };
      if (isNew) await note({ action: "registration", ...event });
      else await changes.verify(personId, address, now());
      await note({ action: "verification", ...event, method: "code" });
      const csrf = isNew ? await signIn(c, personId) : null;
      const going = csrf === null ? submission : { ...submission, csrf };
      return step(c, going, {
        // The form is still this browser's, whose CSRF token changed with the sign-in.
        csrfHash: digest(going.csrf),
        state: "passed_challenge",
        nodes: doneNodes(links.home(submission.flow.returnTo)),
        messages: [texts.verified],
      });
    };

  /** Signs in whoever has just registered, unless somebody else is signed in here by now; the new CSRF token. */
  async function signIn(c: Context, personId: string): Promise<string | null> {
    if (await browser.session(c)) return null;
    const proven = { personId, method: "password" as const };
    const { csrf } = await browser.openSession(c, proven, { aal: "aal1", known: null });
    await note({ action: "sign-in", ...proven, email: null, client: clientAddress(c) });
    return csrf;
  }

  return new Hono()
    .get("/browser", begin)
    .get("/flows", (c) => flows.lookUp(c, "verification"))
    .post("/", (c) => submit(c, verified(c)));
}
