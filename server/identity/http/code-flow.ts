/** A flow by code: the address, the code, done. Recovery and verification differ in what comes after. */
import type { Context } from "hono";
import { addressNodes, codeNodes } from "../code-nodes.ts";
import type { CodeKind } from "../codes.ts";
import type { Flow } from "../flow.ts";
import { pendingOf } from "../pending.ts";
import { isEmail, normaliseEmail } from "../registration.ts";
import { codeTexts, noStrategy, texts, type Complaint } from "../texts.ts";
import { waitSentence } from "../throttle.ts";
import { clientAddress, type Browser } from "./browser.ts";
import type { Draw, Flows, Submission } from "./flows.ts";
import type { Service } from "./service.ts";

const NO_MAIL = {
  recovery:
    "This installation cannot send e-mail, so no code can be sent to you. Ask an administrator for a recovery link.",
  verification:
    "This installation cannot send e-mail, so no code can be sent to you. Ask an administrator to set up a mail server.",
} as const;
const OFTEN = "The request was submitted too often. Please request another code.";

/** Whom a right code proves, by mail to which address; `isNew`: whoever has just been registered by it. */
export interface Proved {
  personId: string;
  address: string;
  isNew: boolean;
}

export function createCodeFlow(kind: CodeKind, service: Service, browser: Browser, flows: Flows) {
  const { store, links, codes, courier, limits, openRegistration, now } = service;
  const words = codeTexts[kind];

  const draw: Draw = async () => (courier.isOpen ? addressNodes() : []);

  async function begin(c: Context) {
    const returnTo = links.returnTo(c.req.query("return_to"));
    const begun = {
      kind,
      requestUrl: links.service(`${kind}/browser`, { return_to: returnTo }),
      returnTo,
      messages: courier.isOpen ? [] : [texts.generic(NO_MAIL[kind])],
    };
    return flows.begin(c, begun, draw);
  }

  /** Keeps the flow with the next step and shows it. */
  async function step(c: Context, { flow, csrf }: Submission, next: Partial<Submission["flow"]>) {
    const stepped = { ...flow, ...next, updatedAt: now() };
    await store.flows.save(stepped);
    return flows.present(c, stepped, csrf);
  }

  async function sendCode(c: Context, submission: Submission, typed: string) {
    const refuse = (complaint: Complaint) => flows.complain(c, submission, [complaint]);
    const address = normaliseEmail(typed);
    if (!isEmail(address)) return refuse({ field: "email", message: texts.notAnEmail(typed) });
    const taken = await limits.take("recovery", { account: address, client: clientAddress(c) });
    if (!taken.ok) return refuse({ message: texts.generic(waitSentence(taken.seconds)) });
    const registers = pendingOf(submission.flow)?.traits.email === address;
    await codes.send(kind, submission.flow.id, address, registers);
    return step(c, submission, {
      state: "sent_email",
      nodes: codeNodes(kind, address),
      messages: [words.sent],
    });
  }

  /** What is wrong with the code, or whom it proves; of two requests with the same code only one gets that far. */
  async function spendCode(c: Context, flow: Flow, code: string): Promise<Proved | Complaint> {
    const account = (await codes.addressOf(flow.id)) ?? "";
    const taken = await limits.take("code", { account, client: clientAddress(c) });
    if (!taken.ok) return { message: texts.generic(waitSentence(taken.seconds)) };
    const spent = await codes.spend(flow.id, code);
    if (spent === "over") return { message: texts.generic(OFTEN) };
    if (spent === "wrong") return { message: words.invalid };
    const { personId, address } = spent;
    if (personId !== null) return { personId, address, isNew: false };
    const made = (await openRegistration.complete(flow, address)) ?? { message: words.invalid };
    return "message" in made ? made : { personId: made.id, address, isNew: true };
  }

  /**
   * Takes a submission through the steps; `prove` is called with whom a right code proves. The address of a resent code
   * is the flow's own, whatever was posted.
   */
  async function submit(
    c: Context,
    prove: (submission: Submission, proved: Proved) => Promise<Response>,
  ): Promise<Response> {
    const submission = await flows.submitted(c, kind, draw);
    const { flow, form } = submission;
    const refuse = (complaint: Complaint) => flows.complain(c, submission, [complaint]);
    if (!courier.isOpen) return refuse({ message: texts.generic(NO_MAIL[kind]) });
    if (flow.state === "passed_challenge") return refuse({ message: words.done });
    const [email, code] = [form.get("email") ?? "", form.get("code") ?? ""];
    if (form.get("method") !== "code" && !email) return refuse({ message: noStrategy(kind) });
    if (flow.state === "choose_method")
      return email
        ? sendCode(c, submission, email)
        : refuse({ field: "email", message: texts.required("email") });
    if (email) return sendCode(c, submission, (await codes.addressOf(flow.id)) ?? email);
    if (!code) return refuse({ field: "code", message: texts.required("code") });
    const proved = await spendCode(c, flow, code);
    if ("message" in proved) {
      await service.note({
        action: kind === "recovery" ? "sign-in-failed" : "verification",
        personId: null,
        email: await codes.addressOf(flow.id),
        client: clientAddress(c),
        reason: "code",
      });
      return refuse(proved);
    }
    return prove(submission, proved);
  }

  return { begin, step, submit };
}
