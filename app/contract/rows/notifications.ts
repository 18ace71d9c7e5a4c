import { z } from "zod";
import { json, view, type RowOf } from "../view.ts";

const Service = z.object({
  name: z.string().nullish(),
  connection: z.string().nullish(),
  url: z.string().nullish(),
});

/** One rule of "Notify", with what came of its messages. */
export const notifyRuleRow = view(
  "notifications_summary",
  z.object({
    id: z.string(),
    filter: z.string().nullish(),
    custom_services: json(z.array(Service).nullish().catch(null)),
    pending: z.number(),
    failed: z.number(),
    sent: z.number(),
    most_common_error: z.string().nullish(),
  }),
);
export type NotifyRuleRow = RowOf<typeof notifyRuleRow>;

/** What the summary does not have. */
export const notifySettingsRow = view(
  "notifications",
  z.object({
    id: z.string(),
    error: z.string().nullish(),
    properties: json(z.record(z.string(), z.unknown()).nullish().catch(null)),
  }),
);

/** A check of a canary, to choose from. */
export const notifyCheckRow = view(
  "checks",
  z.object({ id: z.string(), name: z.string(), type: z.string() }),
);

export const TestAnswer = z.object({ payload: z.object({ sent: z.number() }) });
