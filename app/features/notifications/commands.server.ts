import { notifySettingsRow, TestAnswer } from "#app/contract/rows/notifications.ts";
import { canaryFilter, checkFilter } from "#app/contract/words/notifications.ts";
import type { Api } from "#app/lib/api.server.ts";
import { UpstreamError } from "#app/lib/upstream-error.ts";
import type { NewNotifyRule } from "./forms.server.ts";
import type { NotifyCheck } from "./queries.server.ts";

const EVENTS = ["check.failed", "check.passed"];

/** Adds a rule. Its address is a secret from then on: the control plane shows only where it leads. */
export async function addNotifyRule(
  api: Api,
  canaryId: string,
  checks: readonly NotifyCheck[],
  { about, kind, to, after }: NewNotifyRule,
): Promise<void> {
  const check = checks.find(({ id }) => id === about);
  if (about !== "canary" && !check) throw new UpstreamError(422, "That check is not there any more.");
  const service =
    kind === "connection"
      ? { connection: to }
      : {
          url:
            kind === "email" ? `mailto:${addresses(to)}` : kind === "slack" ? `slack+${to}` : `generic+${to}`,
        };
  await api.insert(notifySettingsRow, {
    events: EVENTS,
    filter: check ? checkFilter(check.id) : canaryFilter(canaryId),
    custom_services: [{ name: kind, ...service }],
    properties: { afterFailures: String(after) },
    source: "UI",
  });
}

const addresses = (text: string) =>
  text
    .split(",")
    .map((part) => part.trim())
    .join(",");

/** Nobody is told by it any more; its history stays. */
export const removeNotifyRule = (api: Api, id: string, now: Date) =>
  api.update(notifySettingsRow, id, { deleted_at: now.toISOString() });

/** Sends a test message at once; throws UpstreamError with the reason when it could not be sent. */
export const testNotifyRule = (api: Api, id: string) =>
  api.call(`/notification/test/${id}`, TestAnswer, { method: "POST", body: {}, timeoutMs: 60_000 });
