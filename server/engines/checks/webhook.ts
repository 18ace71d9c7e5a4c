/** Results that come over a webhook (facts: backend §7.6): always a pass, unless the spec's expressions say otherwise. */
import { createHash, timingSafeEqual } from "node:crypto";
import type pg from "pg";
import { Reference } from "#app/contract/env-var.ts";
import { problems } from "#app/contract/fields.ts";
import { WebhookSpec } from "#app/contract/specs/checks/webhook.ts";
import { inTransaction } from "#server/db/pool.ts";
import type { Observe } from "#server/observe/observation.ts";
import type { LookUp } from "../references.ts";
import { aboutOf } from "./attempt.ts";
import { judge, type Expressions } from "./judge.ts";
import { lastResult } from "./last-result.ts";
import { saveResults } from "./results.ts";
import { invalid, type Outcome } from "./runner.ts";
import { RUNNABLE_COLUMNS, RUNNABLE_TABLES, runnable, type RunnableRow } from "./store.ts";

/** What somebody sent. */
export interface Delivery {
  /** By their names in lower case, without those that carry credentials. */
  headers: Record<string, string>;
  json?: unknown;
  content?: string;
}
/** What became of it. */
export type Delivered = "stored" | "unknown" | "ambiguous" | "refused";

interface Needs {
  pool: pg.Pool;
  /** For a token that the spec only refers to. */
  lookUp: LookUp;
  observe: Observe;
  now(): Date;
}
export interface Webhooks {
  /** Finds the canary whose webhook has the name, compares the token where the spec has one, judges and stores. */
  deliver(name: string, token: string | null, delivery: Delivery): Promise<Delivered>;
}

export function createWebhooks({ pool, lookUp, observe, now }: Needs): Webhooks {
  /** The token in clear; null when there is none that could be sent. */
  async function wanted(token: string | Reference | undefined): Promise<string | null> {
    const value = token instanceof Reference ? await lookUp(token).catch(() => null) : token;
    return value || null;
  }

  return {
    async deliver(name, token, delivery) {
      const { rows } = await pool.query<RunnableRow & { webhook: Record<string, unknown> }>({
        name: "webhook.find",
        text: `select definition.id as check_id, ${RUNNABLE_COLUMNS}, canaries.spec -> 'webhook' as webhook
               from (${RUNNABLE_TABLES})
               where definition.type = 'webhook' and definition.name = $1 and definition.deleted_at is null
                 and definition.transformed is not true and canaries.deleted_at is null
               limit 2`,
        values: [name],
      });
      const [row] = rows;
      if (!row) return "unknown";
      if (rows.length > 1) return "ambiguous";
      const parsed = WebhookSpec.safeParse(row.webhook);
      // A token that cannot be read must not mean that none is asked for.
      if ("token" in row.webhook && !sameToken(await wanted(parsed.data?.token), token)) return "refused";
      const check = runnable(row);
      const time = now();
      const outcome = parsed.success
        ? await judge(
            received(delivery),
            parsed.data as Expressions,
            aboutOf(check, { lastResult: (id) => lastResult(pool, id) }),
            0,
          )
        : invalid(problems(parsed.error));
      await inTransaction(pool, (client) =>
        saveResults(client, [{ check, claim: null, time, ms: 0, outcome, dueAfter: null }]),
      );
      observe({ kind: "check.ran", id: check.id, status: outcome.status, ms: 0 });
      return "stored";
    },
  };
}

/** The one passing status that a webhook begins with (facts: engines §3.2), in the caller's transaction. */
export async function welcomeWebhooks(client: pg.PoolClient, ids: string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await client.query<RunnableRow>(
    `select definition.id as check_id, ${RUNNABLE_COLUMNS} from (${RUNNABLE_TABLES}) where definition.id = any ($1)`,
    [ids],
  );
  await saveResults(
    client,
    rows.map((row) => ({
      check: runnable(row),
      claim: null,
      time: now,
      ms: 0,
      outcome: { status: "healthy", message: "Waiting to be called" },
      dueAfter: null,
    })),
  );
}

function received({ headers, json, content }: Delivery): Outcome {
  const details = {
    headers,
    ...(json === undefined ? {} : { json }),
    ...(content === undefined ? {} : { content }),
  };
  return { status: "healthy", details, environment: { values: { ...details, results: details } } };
}

/** In a time that says nothing about either. */
function sameToken(wanted: string | null, given: string | null): boolean {
  if (wanted === null || given === null) return false;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(wanted), digest(given));
}
