import { email } from "./email.ts";
import { slack, webhook } from "./http.ts";
import type { Receiver, Sending } from "./sender.ts";

export type { Receiver, Sending, Smtp } from "./sender.ts";

/** How long one message may take, in milliseconds; shorter than the first pause before it is sent again. */
const LIMIT_MS = 20_000;

/** Sends, or throws the reason; never for longer than the limit. */
export async function send(receiver: Receiver, sending: Omit<Sending, "signal">): Promise<void> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  const late = new Promise<never>((_, fail) =>
    signal.addEventListener("abort", () => fail(new Error(`no answer within ${LIMIT_MS / 1000} s`)), {
      once: true,
    }),
  );
  const work = sendTo(receiver, { ...sending, signal });
  work.catch(() => undefined);
  late.catch(() => undefined);
  await Promise.race([work, late]);
}

function sendTo(receiver: Receiver, sending: Sending): Promise<void> {
  if (receiver.kind === "email") return email(receiver, sending);
  return receiver.kind === "slack" ? slack(receiver, sending) : webhook(receiver, sending);
}
