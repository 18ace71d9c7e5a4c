import {
  notifyCheckRow,
  notifyRuleRow,
  notifySettingsRow,
  type NotifyRuleRow,
} from "#app/contract/rows/notifications.ts";
import { canaryFilter, checkFilter } from "#app/contract/words/notifications.ts";
import type { Api } from "#app/lib/api.server.ts";
import { eq, inList, isNull, orderBy } from "#app/lib/filter.ts";

/** A rule as the page shows it. */
export interface NotifyRule {
  id: string;
  /** The check's name; null: every check of the canary. */
  check: string | null;
  to: string;
  afterFailures: number;
  sent: number;
  pending: number;
  failed: number;
  /** Why it does not work, if it does not. */
  problem: string | null;
}

/** Checks that can be chosen; more than these are told of with their canary. */
const CHECKS = 500;

/** The checks of a canary that are there, by name. */
export const listNotifyChecks = (api: Api, canaryId: string) =>
  api.list(notifyCheckRow, {
    canary_id: eq(canaryId),
    deleted_at: isNull,
    order: orderBy("name.asc"),
    limit: CHECKS,
  });
export type NotifyCheck = Awaited<ReturnType<typeof listNotifyChecks>>[number];

/** The rules of "Notify" about a canary or one of its checks. Rules that are written otherwise have a page of their own. */
export async function listNotifyRules(
  api: Api,
  canaryId: string,
  checks: readonly NotifyCheck[],
): Promise<NotifyRule[]> {
  const names = new Map(checks.map(({ id, name }) => [checkFilter(id), name]));
  const rules = await api.list(notifyRuleRow, {
    filter: inList([canaryFilter(canaryId), ...names.keys()]),
    order: orderBy("created_at.asc"),
  });
  if (rules.length === 0) return [];
  const settings = await api.list(notifySettingsRow, { id: inList(rules.map(({ id }) => id)) });
  const byId = new Map(settings.map((row) => [row.id, row]));
  return rules.map((rule) => {
    const own = byId.get(rule.id);
    return {
      id: rule.id,
      check: names.get(rule.filter ?? "") ?? null,
      to: recipientsOf(rule),
      afterFailures: Number(own?.properties?.["afterFailures"] ?? 1),
      sent: rule.sent,
      pending: rule.pending,
      failed: rule.failed,
      problem: own?.error ?? (rule.failed + rule.pending > 0 ? (rule.most_common_error ?? null) : null),
    };
  });
}

/** Where an address leads: that of a mail is shown whole, of a webhook only its host is known here. */
function addressOf(url: string): string {
  const [, scheme = "", host = ""] = /^([a-z+]+):\/\/([^/]*)/i.exec(url) ?? [];
  if (/^slack\+/i.test(scheme)) return `Slack-compatible webhook at ${host}`;
  if (/^(generic\+)?https?$/i.test(scheme)) return `Webhook at ${host}`;
  return url.replace(/^mailto:/i, "").replaceAll(",", ", ");
}

const recipientsOf = ({ custom_services }: NotifyRuleRow): string =>
  (custom_services ?? [])
    .map(({ name, url, connection }) => connection ?? (url ? addressOf(url) : (name ?? "")))
    .join(", ") || "nobody";
