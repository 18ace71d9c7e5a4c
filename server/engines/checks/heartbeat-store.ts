/** The SQL of heartbeats: whose a token is, and storing what was heard. */
import { createHash, randomBytes } from "node:crypto";
import type pg from "pg";
import type { Heard } from "./heartbeat.ts";
import type { Runnable } from "./check.ts";
import { clean, detailsOf, saveResults } from "./results.ts";
import type { Outcome } from "./runner.ts";
import { HEARD_COLUMNS, RUNNABLE_TABLES, runnable, type RunnableRow } from "./store.ts";
import { expandTransformed } from "./transformed.ts";

const TOKEN_BYTES = 16;

/** What is stored of a token. Fast on purpose: 128 random bits cannot be guessed. */
export const heartbeatHash = (token: string): Buffer => createHash("sha256").update(token).digest();

/** A heartbeat check that can be pinged. */
export interface Pinged {
  check: Runnable;
  /** False while its canary is suspended: it is heard, but silence means nothing. */
  live: boolean;
}
/** One ping, to be stored. */
export interface Ping extends Pinged {
  heard: Heard;
  at: Date;
  /** When the next must be there at the latest; null while the canary is suspended. */
  until: Date | null;
  outcome: Outcome;
  /** Set once it is stored; stays false when the check was deleted meanwhile. */
  stored: boolean;
}

/** Makes the token of a check, or another one in place of it: the old one counts no more. It can be read only here. */
export async function renewHeartbeatToken(
  db: Pick<pg.ClientBase, "query">,
  checkId: string,
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  await db.query(
    `insert into internal.heartbeats (check_id, token) values ($1, $2)
     on conflict (check_id) do update set token = excluded.token, created_at = now()`,
    [checkId, heartbeatHash(token)],
  );
  return token;
}

/** The checks behind the hashes of tokens, by the hash as hexadecimal. */
export async function findPinged(
  db: Pick<pg.ClientBase, "query">,
  hashes: Buffer[],
): Promise<Map<string, Pinged>> {
  const { rows } = await db.query<RunnableRow & { token: Buffer; live: boolean }>({
    name: "heartbeat.find",
    // By key, one token after the other ("offset 0"): the planner would rather read all checks of a canary.
    text: `select beat.token, beat.check_id, found.*
           from (select distinct unnest($1::bytea[]) as token) as given
           cross join lateral (
             select token, check_id from internal.heartbeats where token = given.token offset 0) as beat
           cross join lateral (
             select ${HEARD_COLUMNS}, canaries.annotations ->> 'suspend' is distinct from 'true' as live
             from ${RUNNABLE_TABLES}
             where definition.id = beat.check_id and definition.deleted_at is null and canaries.deleted_at is null
               and definition.type = 'heartbeat' and definition.transformed is not true offset 0) as found`,
    values: [hashes],
  });
  return new Map(
    rows.map(({ token, live, ...row }) => [token.toString("hex"), { check: runnable(row), live }]),
  );
}

/** Stores pings in the caller's transaction, in the order they came, as few statements as that allows. */
export async function savePings(client: pg.PoolClient, pings: Ping[]): Promise<void> {
  for (const ping of pings) ping.stored = false; // a transaction that was rolled back is tried again
  if (pings.some(({ heard }) => heard.kind === "start")) await lock(client, pings);
  for (const round of rounds([...pings].sort((a, b) => a.at.getTime() - b.at.getTime()))) {
    await saveStarts(
      client,
      round.filter(({ heard }) => heard.kind === "start"),
    );
    await saveEnds(
      client,
      round.filter(({ heard }) => heard.kind === "end"),
    );
  }
}

/** Starts and ends lock different rows: all of them first, in the one order that every transaction keeps. */
async function lock(client: pg.PoolClient, pings: Ping[]): Promise<void> {
  await client.query({
    name: "heartbeat.lock",
    text: `select from internal.check_state as state join internal.heartbeats as beat using (check_id)
           where check_id = any ($1) order by check_id for update of state, beat`,
    values: [pings.map(({ check }) => check.id)],
  });
}

/** Pings of one check that say different things are different statements: the turn of a status is seen by triggers. */
function rounds(pings: Ping[]): Ping[][] {
  const all: Ping[][] = [];
  const seen = new Map<string, { round: number; said: string }>();
  for (const ping of pings) {
    const said = `${ping.heard.kind} ${ping.outcome.status}`;
    const last = seen.get(ping.check.id);
    const round = last ? last.round + (last.said === said ? 0 : 1) : 0;
    seen.set(ping.check.id, { round, said });
    (all[round] ??= []).push(ping);
  }
  return all;
}

async function saveStarts(client: pg.PoolClient, pings: Ping[]): Promise<void> {
  if (pings.length === 0) return;
  const { rows } = await client.query<{ check_id: string }>({
    name: "heartbeat.starts",
    text: `update internal.heartbeats as beat set started_at = given.at
           from (select check_id, max(at) as at from unnest($1::uuid[], $2::timestamptz[]) as row (check_id, at)
                 group by check_id) as given
           where beat.check_id = given.check_id returning beat.check_id`,
    values: [pings.map(({ check }) => check.id), pings.map(({ at }) => at)],
  });
  const stored = new Set(rows.map((row) => row.check_id));
  for (const ping of pings) ping.stored = stored.has(ping.check.id);
}

/**
 * One row for each ping. Its time is when it came, moved by microseconds where the check has a row of that time or, by
 * another clock, a later one. A deadline that somebody is about to call overdue is taken from them.
 */
async function saveEnds(client: pg.PoolClient, pings: Ping[]): Promise<void> {
  if (pings.length === 0) return;
  const given = pings.map(({ check, at, until, outcome }, seq) => ({
    seq,
    check_id: check.id,
    time: at,
    next: until,
    status: outcome.status === "healthy",
    invalid: outcome.invalid ?? false,
    message: clean(outcome.message),
    error: clean(outcome.error),
    severity: check.severity,
    details: detailsOf(outcome.details),
  }));
  const { rows } = await client.query<{ seq: number }>({
    name: "heartbeat.ends",
    text: `with given as (
             select * from jsonb_to_recordset($1) as row (seq integer, check_id uuid, time timestamptz, next timestamptz,
               status boolean, invalid boolean, message text, error text, severity text, details jsonb)),
           held as materialized (
             select given.*, state.last_runtime, beat.started_at
             from given
             join internal.check_state as state using (check_id)
             join internal.heartbeats as beat using (check_id)
             order by check_id, seq for update of state, beat),
           placed as (
             select held.*, row_number() over of_check = 1 as is_first,
               lead(seq) over of_check is null as is_last,
               greatest(time, case when last_runtime < time + interval '60 s'
                                   then last_runtime + interval '1 microsecond' end)
                 + (row_number() over of_check - 1) * interval '1 microsecond' as at
             from held window of_check as (partition by check_id order by seq)),
           stored as (
             insert into public.check_statuses
               (check_id, time, duration, status, invalid, message, error, severity, details)
             select check_id, at, case when is_first and started_at <= time and time - started_at < interval '24 days'
                 then round(extract(epoch from time - started_at) * 1000) else 0 end::integer,
               status, invalid, message, error, severity, details
             from placed order by check_id, seq
             on conflict (check_id, time) do nothing returning check_id, time),
           heard as (
             update internal.heartbeats as beat set last_ping = greatest(beat.last_ping, last.time), started_at = null
             from placed as last where last.is_last and beat.check_id = last.check_id),
           moved as (
             update internal.check_state as state set
               status = case when state.last_runtime is null or last.at >= state.last_runtime
                             then case when last.status then 'healthy' else 'unhealthy' end else state.status end,
               last_runtime = greatest(state.last_runtime, last.at), next_runtime = last.next,
               claimed_by = null, claimed_instant = null, claimed_until = null
             from placed as last where last.is_last and state.check_id = last.check_id)
           select placed.seq from placed join stored on stored.check_id = placed.check_id and stored.time = placed.at`,
    values: [JSON.stringify(given)],
  });
  for (const { seq } of rows) pings[seq]!.stored = true;
  await saveTransformed(client, pings);
}

/** The checks that transforms made of what the pings said. */
async function saveTransformed(client: pg.PoolClient, pings: Ping[]): Promise<void> {
  const parents = pings
    .filter(({ outcome, stored }) => outcome.transformed && stored)
    .map(({ check, at, outcome }) => ({ check, claim: null, time: at, ms: 0, outcome, dueAfter: null }));
  if (parents.length === 0) return;
  const all = await expandTransformed(client, parents);
  await saveResults(client, all.slice(parents.length));
}
