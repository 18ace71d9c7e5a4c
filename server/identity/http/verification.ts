/** `self-service/verification`: showing by a code that mail to one's address arrives. */
import { Hono } from "hono";
import { doneNodes } from "../code-nodes.ts";
import { texts } from "../texts.ts";
import { clientAddress, type Browser } from "./browser.ts";
import { createCodeFlow } from "./code-flow.ts";
import type { Flows, Submission } from "./flows.ts";
import type { Service } from "./service.ts";
import type { Context } from "hono";
import type { Proved } from "../store/codes.ts";

export function verificationRoutes(service: Service, browser: Browser, flows: Flows): Hono {
  const { changes, links, note, now } = service;
  const { begin, step, submit } = createCodeFlow("verification", service, browser, flows);

  const verified =
    (c: Context) =>
    async (submission: Submission, { personId, address }: Proved) => {
      await changes.verify(personId, address, now());
      await note({
        action: "verification",
        personId,
        email: address,
        client: clientAddress(c),
        method: "code",
      });
      return step(c, submission, {
        state: "passed_challenge",
        nodes: doneNodes(links.home(submission.flow.returnTo)),
        messages: [texts.verified],
      });
    };

  return new Hono()
    .get("/browser", begin)
    .get("/flows", (c) => flows.lookUp(c, "verification"))
    .post("/", (c) => submit(c, verified(c)));
}
