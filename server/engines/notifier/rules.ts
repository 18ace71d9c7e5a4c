/** Rules as their rows have them, and where their messages go. */
import type pg from "pg";
import { inTransaction } from "#server/db/pool.ts";
import { afterFailuresOf, type Rule } from "./match.ts";
import { personReceiver, serviceReceiver, type Service } from "./receiver.ts";
import type { Receiver, Smtp } from "./senders/index.ts";

/** A rule with what the dispatcher asks of it besides. */
export interface StoredRule extends Rule {
  filter: string | null;
  /** Its recipients: the person, and the number of each of its services. */
  recipients: Recipient[];
}
export type Recipient = "person" | number;

interface Row {
  id: string;
  events: string[];
  filter: string | null;
  properties: Record<string, unknown> | null;
  person_id: string | null;
  services: number;
}

/** The rules that check events may concern; those whose filter failed are left out until somebody mends them. */
export async function checkRules(pool: pg.Pool): Promise<StoredRule[]> {
  const { rows } = await pool.query<Row>({
    name: "notifier.rules",
    text: `select id, events, filter, properties, person_id, coalesce(jsonb_array_length(custom_services), 0) as services
           from public.notifications
           where deleted_at is null and error is null and events && '{check.failed,check.passed}' order by id`,
  });
  return rows.map(({ id, events, filter, properties, person_id, services }) => {
    const recipients: Recipient[] = [
      ...(person_id ? (["person"] as const) : []),
      ...Array.from({ length: services }, (_, index) => index),
    ];
    const afterFailures = afterFailuresOf(properties);
    return { id, events, filter, afterFailures, recipients, hasRecipient: recipients.length > 0 };
  });
}

/** Stops asking a rule whose filter cannot be evaluated; the reason is shown with it. */
export async function failRule(pool: pg.Pool, id: string, reason: string): Promise<void> {
  await pool.query("update public.notifications set error = $2 where id = $1 and error is null", [
    id,
    `filter: ${reason}`.slice(0, 1000),
  ]);
}

export interface Means {
  pool: pg.Pool;
  /** PILOTHOUSE_KEY, which addresses are encrypted with. */
  key: string;
  smtp: Smtp | null;
  connectionUrl(reference: string, namespace: string): Promise<string>;
}

/** The rule is gone: nobody is told any more. */
export class RuleGone extends Error {}

/** Where the message of a rule to one of its recipients goes, in clear. Throws a sentence. */
export async function receiverOf(means: Means, ruleId: string, recipient: Recipient): Promise<Receiver> {
  const { pool, key, smtp } = means;
  const found = await inTransaction(pool, async (client) => {
    await client.query("select set_config('app.settings.pilothouse_key', $1, true)", [key]);
    const { rows } = await client.query<{
      namespace: string | null;
      email: string | null;
      service: Service | null;
      secret: string | null;
    }>(
      `select rule.namespace, people.email, service,
         case when service ? 'id'
           then internal.secret_of('notifications', rule.id, 'custom_services', service ->> 'id') end as secret
       from public.notifications as rule
       left join public.people on people.id = rule.person_id and people.deleted_at is null
       left join lateral (select rule.custom_services -> $2::integer as service) as services on true
       where rule.id = $1 and rule.deleted_at is null`,
      [ruleId, recipient === "person" ? null : recipient],
    );
    return rows[0];
  });
  if (!found) throw new RuleGone("the rule was removed");
  if (recipient === "person") return personReceiver(found.email, smtp);
  if (!found.service) throw new RuleGone("the recipient was removed");
  const service = found.secret ? { ...found.service, url: found.secret } : found.service;
  return serviceReceiver(service, {
    smtp,
    connectionUrl: (reference) => means.connectionUrl(reference, found.namespace || "default"),
  });
}
