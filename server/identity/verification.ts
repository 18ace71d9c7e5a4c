/** Verification that begins by itself: with a registration, or after it, and after another address was given. */
import { beginFlow, type Flow } from "./flow.ts";
import type { Codes } from "./codes.ts";
import { codeNodes } from "./code-nodes.ts";
import type { Courier } from "./courier.ts";
import type { Links } from "./links.ts";
import type { ShowVerification } from "./parts.ts";
import { keptOf, type Pending } from "./pending.ts";
import type { FlowStore } from "./store/flows.ts";
import { codeTexts } from "./texts.ts";

interface Needs {
  flows: FlowStore;
  codes: Codes;
  courier: Courier;
  links: Links;
  now: () => Date;
}

export function createVerification({ flows, codes, courier, links, now }: Needs) {
  return {
    /**
     * Mails a code to the address and answers the flow it is typed into, in the same browser; none where no mail is sent.
     * What is `pending` is registered when the code is right.
     */
    async begin(
      { csrfHash, returnTo }: Pick<Flow, "csrfHash" | "returnTo">,
      address: string,
      pending: Pending | null = null,
    ): Promise<ShowVerification[]> {
      if (!courier.isOpen) return [];
      const flow = beginFlow(
        {
          kind: "verification",
          requestUrl: links.service("verification/browser", { return_to: returnTo }),
          returnTo,
          csrfHash,
          state: "sent_email",
          nodes: codeNodes("verification", address),
          messages: [codeTexts.verification.sent],
          kept: keptOf(pending),
        },
        now(),
      );
      await flows.save(flow);
      await codes.send("verification", flow.id, address, pending !== null);
      const url = links.page("verification", { flow: flow.id });
      return [{ action: "show_verification_ui", flow: { id: flow.id, url, verifiable_address: address } }];
    },
  };
}

export type Verification = ReturnType<typeof createVerification>;
