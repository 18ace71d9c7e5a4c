import type { Smtp } from "#server/mail/smtp.ts";
import type { Message, Subject } from "../message.ts";

export type { Smtp };

/** Where a message goes, with all that sending takes. Secret: never logged, never stored. */
export type Receiver =
  | { kind: "email"; to: string[]; smtp: Smtp }
  | { kind: "webhook"; url: string }
  | { kind: "slack"; url: string };

/** One message to one receiver. */
export interface Sending {
  /** The same for every attempt: receivers know by it that they have seen it. */
  id: string;
  subject: Subject;
  message: Message;
  signal: AbortSignal;
}
/** Sends, or throws the reason in words that hold no address and no secret. */
export type Sender<R extends Receiver> = (receiver: R, sending: Sending) => Promise<void>;
