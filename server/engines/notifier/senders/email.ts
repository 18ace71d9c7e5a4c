import { sendLetter } from "#server/mail/smtp.ts";
import type { Receiver, Sender } from "./sender.ts";

/** Plain text over SMTP. */
export const email: Sender<Extract<Receiver, { kind: "email" }>> = ({ to, smtp }, { id, message, signal }) =>
  sendLetter(smtp, { id, to, subject: message.title, text: message.body }, signal);
