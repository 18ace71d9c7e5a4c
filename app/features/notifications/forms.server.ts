import { z } from "zod";
import {
  MOST_AFTER_FAILURES,
  RECIPIENT_KINDS,
  type RecipientKind,
} from "#app/contract/words/notifications.ts";

const ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;]+$/;
const REFERENCE = /^connection:\/\/[^\s/]+(\/[^\s/]+){0,2}$/;

/** What is wrong with an address of that kind, in words; null when nothing is. */
function problemOf(kind: RecipientKind, to: string): string | null {
  if (kind === "email")
    return to.split(",").every((part) => ADDRESS.test(part.trim()))
      ? null
      : "This field must be an e-mail address such as ops@example.com, several with commas between them";
  if (kind === "connection")
    return REFERENCE.test(to) ? null : "This field must be connection://<namespace>/<name>";
  return /^https?:\/\/[^\s/]+/.test(to) && URL.canParse(to)
    ? null
    : "This field must be an address that begins with https:// or http://";
}

/** A new rule: what is told of, to whom, after how many failures. */
export const NewNotifyRule = z
  .object({
    about: z.string().regex(/^(canary|[0-9a-f-]{36})$/i, "Choose the canary or one of its checks"),
    kind: z.enum(RECIPIENT_KINDS.map(({ value }) => value)),
    to: z.string({ error: "This field is required" }).trim().min(1, "This field is required").max(2000),
    after: z.coerce
      .number({ error: "This field must be a whole number" })
      .int("This field must be a whole number")
      .min(1, "This field must be at least 1")
      .max(MOST_AFTER_FAILURES, `This field must be at most ${MOST_AFTER_FAILURES}`)
      .default(1),
  })
  .superRefine(({ kind, to }, context) => {
    const message = problemOf(kind, to);
    if (message) context.addIssue({ code: "custom", path: ["to"], message });
  });
export type NewNotifyRule = z.output<typeof NewNotifyRule>;

export const ChosenRule = z.object({ id: z.guid("There is no such rule") });
