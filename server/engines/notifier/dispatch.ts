import type pg from "pg";
import { inTransaction } from "#server/db/pool.ts";
import { evaluate, type Answers } from "../expressions/index.ts";
import { match, subjectOf, type Situation } from "./match.ts";
import { queueSends } from "./outbox.ts";
import { checkRules, failRule, type StoredRule } from "./rules.ts";
import { failuresInRow, situate, type CheckEventRow, type Situated } from "./situation.ts";

interface Needs {
  pool: pg.Pool;
  now(): Date;
  /** Where people reach the web; null when that is not known. */
  webUrl: string | null;
}

/** Held while events are handled, so that those of one check are handled in their order, by one. */
const LOCK = 7_072_454_010;
/** Events that are handled in one transaction. */
const BATCH = 200;
/** How often to look besides being told, in milliseconds; more often while failures are counted. */
const LOOK_MS = 60_000;
const COUNTING_MS = 1000;

type Remembered = Situation["remembered"];

/**
 * From events to messages to be sent: takes check events off the queue, asks every rule, and puts what is to be sent
 * into the queue, all in one transaction. Returns in how many milliseconds to look again.
 */
export function createDispatch({ pool, now, webUrl }: Needs): () => Promise<number> {
  return async () => {
    const events = await newEvents(pool);
    const rules = await checkRules(pool);
    const waiting = await countingEvents(pool);
    const all = [...events, ...waiting];
    if (all.length === 0) return LOOK_MS;
    const relevant = rules.length === 0 ? new Map<number, Situated>() : await situate(pool, all, webUrl);
    const passing = await filtered(pool, rules, relevant);
    const silences = await silencedChecks(pool, [...relevant.values()], now());
    const handled = await inTransaction(pool, async (client) => {
      if (!(await locked(client))) return null;
      const taken = await take(client, events);
      for (const [index, event] of all.entries()) {
        const found = relevant.get(index);
        const isCounted = index >= events.length;
        if (!isCounted && !taken.has(event.id)) continue;
        if (!found && rules.length > 0) await forget(client, event);
        for (const rule of found ? rules : [])
          if (!isCounted || event.id === rule.id)
            await handle(client, event, rule, found!, {
              passes: passing.get(index)?.has(rule.id) ?? false,
              silenced: silences.has(event.check_id),
            });
      }
      return taken.size;
    });
    if (handled === null) return COUNTING_MS;
    if (events.length === BATCH || handled < events.length) return 0; // more, or one that was renewed meanwhile
    return (await isCounting(pool)) ? COUNTING_MS : LOOK_MS;
  };
}

async function newEvents(pool: pg.Pool): Promise<CheckEventRow[]> {
  const { rows } = await pool.query<CheckEventRow>({
    name: "notifier.events",
    text: `select id, name, created_at::text, properties ->> 'id' as check_id,
             coalesce(properties ->> 'last_runtime', created_at::text) as last_runtime
           from internal.event_queue where name in ('check.failed', 'check.passed')
           order by event_queue.created_at, id limit $1`,
    values: [BATCH],
  });
  return rows;
}

/** Checks whose failures are still counted, as events of the rule that counts; its id stands for the event's. */
async function countingEvents(pool: pg.Pool): Promise<CheckEventRow[]> {
  const { rows } = await pool.query<CheckEventRow>({
    name: "notifier.counting",
    text: `select counted.notification_id as id, 'check.failed' as name, counted.since::text as created_at,
             counted.resource_id as check_id, coalesce(state.last_runtime, counted.since)::text as last_runtime
           from internal.notification_states as counted
           join public.notifications as rule on rule.id = counted.notification_id and rule.deleted_at is null
             and rule.error is null
           left join internal.check_state as state on state.check_id = counted.resource_id
           where counted.told_at is null and state.status is distinct from 'healthy'
           order by counted.since limit $1`,
    values: [BATCH],
  });
  return rows;
}

async function isCounting(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query({
    name: "notifier.is-counting",
    text: `select from internal.notification_states as counted
           join public.notifications as rule on rule.id = counted.notification_id and rule.deleted_at is null
             and rule.error is null
           where counted.told_at is null limit 1`,
  });
  return rows.length > 0;
}

/** The rules whose filter holds, for each event by its position. */
async function filtered(
  pool: pg.Pool,
  rules: StoredRule[],
  situations: Map<number, Situated>,
): Promise<Map<number, Set<string>>> {
  const passing = new Map<number, Set<string>>();
  for (const [index, { subject, values }] of situations) {
    const holds = new Set<string>();
    passing.set(index, holds);
    const asked: StoredRule[] = [];
    for (const rule of rules) {
      const of = rule.filter ? subjectOf(rule.filter) : null;
      if (!rule.filter?.trim() || (of && subject[of.kind].id === of.id)) holds.add(rule.id);
      else if (!of) asked.push(rule);
    }
    if (asked.length === 0) continue;
    const questions = asked.map(({ id, filter }) => [id, { expr: filter!, as: "truth" as const }]);
    const answers: Answers = await evaluate({ values }, Object.fromEntries(questions));
    for (const { id } of asked) {
      const answer = answers[id];
      if (answer && "error" in answer) await failRule(pool, id, answer.error);
      else if (answer?.value === true) holds.add(id);
    }
  }
  return passing;
}

/** The checks that a silence covers now, by themselves or with their canary. */
async function silencedChecks(pool: pg.Pool, situations: Situated[], now: Date): Promise<Set<string>> {
  if (situations.length === 0) return new Set();
  const { rows } = await pool.query<{ check_id: string | null; canary_id: string | null }>(
    `select check_id, canary_id from public.notification_silences
     where deleted_at is null and "from" <= $3 and until >= $3 and (check_id = any ($1) or canary_id = any ($2))`,
    [
      situations.map(({ subject }) => subject.check.id),
      situations.map(({ subject }) => subject.canary.id),
      now,
    ],
  );
  const silent = new Set(rows.flatMap(({ check_id, canary_id }) => [check_id, canary_id]));
  return new Set(
    situations
      .filter(({ subject }) => silent.has(subject.check.id) || silent.has(subject.canary.id))
      .map(({ subject }) => subject.check.id),
  );
}

async function locked(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ mine: boolean }>("select pg_try_advisory_xact_lock($1) as mine", [
    LOCK,
  ]);
  return rows[0]?.mine ?? false;
}

/** Takes events off the queue; those that were renewed since they were read stay for the next turn. */
async function take(client: pg.PoolClient, events: CheckEventRow[]): Promise<Set<string>> {
  if (events.length === 0) return new Set();
  const { rows } = await client.query<{ id: string }>(
    `delete from internal.event_queue as event using unnest($1::uuid[], $2::timestamptz[]) as given (id, created_at)
     where event.id = given.id and event.created_at = given.created_at returning event.id`,
    [events.map(({ id }) => id), events.map(({ created_at }) => created_at)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** A check that is gone is nobody's business any more. */
async function forget(client: pg.PoolClient, { check_id }: CheckEventRow): Promise<void> {
  await client.query(
    `delete from internal.notification_states where resource_id = $1
       and not exists (select from internal.checks where id = $1 and deleted_at is null)`,
    [check_id],
  );
}

async function handle(
  client: pg.PoolClient,
  { name, check_id, last_runtime }: CheckEventRow,
  rule: StoredRule,
  { subject }: Situated,
  how: Pick<Situation, "passes" | "silenced">,
): Promise<void> {
  const { rows } = await client.query<{ told_at: Date | null }>({
    name: "notifier.remembered",
    text: "select told_at from internal.notification_states where notification_id = $1 and resource_id = $2",
    values: [rule.id, check_id],
  });
  const remembered: Remembered = rows[0] ? (rows[0].told_at ? "told" : "waiting") : null;
  if (!remembered && !how.passes) return;
  const wanted = rule.afterFailures ?? 1;
  const failures =
    name === "check.passed" || wanted === 1 ? 1 : await failuresInRow(client, check_id, wanted);
  const verdict = match(rule, { event: name, failures, remembered, ...how });
  if (verdict.send)
    await queueSends(client, {
      ruleId: rule.id,
      recipients: rule.recipients,
      subject,
      silenced: verdict.send === "silence",
    });
  await remember(client, [rule.id, check_id, last_runtime], remembered ?? "nothing", verdict.remember);
}

async function remember(
  client: pg.PoolClient,
  [ruleId, checkId, since]: [string, string, string],
  before: "waiting" | "told" | "nothing",
  after: "waiting" | "told" | "nothing",
): Promise<void> {
  if (before === after) return;
  if (after === "nothing")
    await client.query(
      "delete from internal.notification_states where notification_id = $1 and resource_id = $2",
      [ruleId, checkId],
    );
  else
    await client.query(
      `insert into internal.notification_states (notification_id, resource_id, since, told_at)
       values ($1, $2, $3, case when $4 then now() end)
       on conflict (notification_id, resource_id) do update set told_at = excluded.told_at`,
      [ruleId, checkId, since, after === "told"],
    );
}
