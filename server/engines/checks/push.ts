/** Results of checks that run elsewhere (facts: backend §7.5). */
import type pg from "pg";
import { inTransaction } from "#server/db/pool.ts";
import type { Observe } from "#server/observe/observation.ts";
import { saveResults } from "./results.ts";
import type { Outcome } from "./runner.ts";
import { RUNNABLE_COLUMNS, RUNNABLE_TABLES, runnable, type RunnableRow } from "./store.ts";

/** A check as its sender names it, and one status of it. */
export interface Pushed {
  /** With it, nothing else names the check. */
  id: string | null;
  canaryId: string | null;
  /** With the namespace, when there is no id of a canary: one that is not there is made. */
  canaryName: string | null;
  name: string;
  type: string;
  namespace: string;
  description: string | null;
  icon: string | null;
  severity: string | null;
  owner: string | null;
  labels: Record<string, string>;
  /** null: now. */
  time: Date | null;
  ms: number;
  outcome: Outcome;
}

/** Who pushes: permission records may keep even who writes canaries from single checks. */
export interface Pusher {
  personId: string;
  isAdmin: boolean;
}

export interface Pushes {
  /** One transaction: the canary and the check where they are missing, the status, the sums. */
  push(sent: Pushed, by: Pusher): Promise<"stored" | "unknown" | "denied">;
}

/** Undoes the transaction. */
class Denied extends Error {
  readonly isHidden: boolean;
  constructor(isHidden: boolean) {
    super("A permission record denies it.");
    this.isHidden = isHidden;
  }
}

const LOCAL_AGENT = "00000000-0000-0000-0000-000000000000";

export function createPushes({
  pool,
  observe,
  now,
}: {
  pool: pg.Pool;
  observe: Observe;
  now(): Date;
}): Pushes {
  return {
    async push(sent, { personId, isAdmin }) {
      const id = await inTransaction(pool, async (client) => {
        const checkId = sent.id ?? (await checkFor(client, sent, personId));
        const { rows } = await client.query<RunnableRow>(
          `select definition.id as check_id, ${RUNNABLE_COLUMNS} from (${RUNNABLE_TABLES})
           where definition.id = $1 and definition.deleted_at is null and canaries.deleted_at is null`,
          [checkId],
        );
        if (!rows[0]) return null;
        const { rows: right } = await client.query<{ verdict: "yes" | "no" | "hidden" }>(
          "select internal.right_of($1, $2, true, 'update', 'check', $3) as verdict",
          [personId, isAdmin, checkId],
        );
        if (right[0]?.verdict !== "yes") throw new Denied(right[0]?.verdict === "hidden");
        const { time, ms, outcome } = sent;
        await saveResults(client, [
          { check: runnable(rows[0]), claim: null, time: time ?? now(), ms, outcome, dueAfter: null },
        ]);
        return checkId;
      }).catch((error: unknown) => {
        if (error instanceof Denied) return error;
        throw error;
      });
      if (id instanceof Denied) return id.isHidden ? "unknown" : "denied";
      if (id === null) return "unknown";
      observe({ kind: "check.ran", id, status: sent.outcome.status, ms: sent.ms });
      return "stored";
    },
  };
}

/** A check that somebody pushes has no spec, so that bringing canaries in step leaves it alone. */
async function checkFor(client: pg.PoolClient, sent: Pushed, personId: string): Promise<string | null> {
  const canaryId = sent.canaryId ?? (await canaryFor(client, sent, personId));
  const { rows } = await client.query<{ id: string }>(
    `insert into internal.checks as existing
       (canary_id, agent_id, type, name, namespace, description, icon, severity, owner, labels)
     select id, agent_id, $2, $3, $4, $5, $6, $7, $8, $9 from public.canaries where id = $1 and deleted_at is null
     on conflict (canary_id, type, name, agent_id) do update set deleted_at = null
       where existing.deleted_at is not null and existing.spec is null
     returning id`,
    [
      canaryId,
      sent.type,
      sent.name,
      sent.namespace,
      sent.description,
      sent.icon,
      sent.severity,
      sent.owner,
      JSON.stringify(sent.labels),
    ],
  );
  if (rows[0]) return rows[0].id;
  const found = await client.query<{ id: string }>(
    "select id from internal.checks where canary_id = $1 and type = $2 and name = $3",
    [canaryId, sent.type, sent.name],
  );
  return found.rows[0]?.id ?? null;
}

async function canaryFor(
  client: pg.PoolClient,
  { canaryName, namespace }: Pushed,
  personId: string,
): Promise<string | null> {
  const find = () =>
    client.query<{ id: string }>(
      `select id from public.canaries where namespace = $1 and name = $2 and deleted_at is null and agent_id = $3
       order by source = 'Push' desc, created_at limit 1`,
      [namespace, canaryName, LOCAL_AGENT],
    );
  const [known] = (await find()).rows;
  if (known) return known.id;
  await client.query(
    `insert into public.canaries (name, namespace, spec, source, created_by) values ($2, $1, '{}', 'Push', $3)
     on conflict do nothing`,
    [namespace, canaryName, personId],
  );
  return (await find()).rows[0]?.id ?? null;
}
