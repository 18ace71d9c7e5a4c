import { hostname } from "node:os";
import type pg from "pg";
import type { Observe } from "#server/observe/observation.ts";

/** Which claims did not come to an end: some of ours, all of a dead control plane's, or those nobody can finish any more. */
export type Lost =
  | { claims: { id: string; owner: string; instant: Date }[] }
  | { owner: string; except?: string[] }
  | { before: Date };

/** One run that did not end. */
export interface Interrupted {
  id: string;
  instant: Date;
}

/**
 * Releases claims and writes one job history row (`STOPPED`) for each: the transaction that takes the claim away is the
 * one that records it, so it is recorded once. No status row: that the product stopped says nothing about the check.
 */
export async function interruptClaims(
  client: pg.ClientBase,
  lost: Lost,
  reason: string,
): Promise<Interrupted[]> {
  const { condition, values } = conditionOf(lost);
  const { rows } = await client.query<Interrupted>(
    `with lost as materialized (
       select state.check_id, state.claimed_instant as instant
       from internal.check_state as state where ${condition}
       order by state.check_id for update),
     released as (
       update internal.check_state as state set claimed_by = null, claimed_instant = null, claimed_until = null
       from lost where state.check_id = lost.check_id),
     recorded as (
       insert into public.job_history (name, resource_type, resource_id, status, hostname, success_count, error_count,
         time_start, time_end, duration_millis, details)
       select 'Canary', 'canary', definition.canary_id::text, 'STOPPED', $1, 0, 1, lost.instant, now(),
         least(extract(epoch from now() - lost.instant) * 1000, 2147483647)::integer,
         jsonb_build_object('check_id', lost.check_id, 'instant', lost.instant, 'errors', jsonb_build_array(
           format('%s check %s was interrupted: %s', definition.type, definition.name, $2::text)))
       from lost join internal.checks as definition on definition.id = lost.check_id)
     select check_id as id, instant from lost`,
    [hostname(), reason, ...values],
  );
  return rows;
}

function conditionOf(lost: Lost): { condition: string; values: unknown[] } {
  if ("owner" in lost)
    return {
      condition: "state.claimed_by = $3 and state.check_id <> all ($4::uuid[])",
      values: [lost.owner, lost.except ?? []],
    };
  if ("before" in lost)
    return {
      condition: `state.claimed_by is not null and (state.claimed_until < $3 or not exists (
                    select from internal.control_planes as plane where plane.id = state.claimed_by))`,
      values: [lost.before],
    };
  return {
    condition: `(state.check_id, state.claimed_by, state.claimed_instant) in (
                  select * from unnest($3::uuid[], $4::text[], $5::timestamptz[]))`,
    values: [
      lost.claims.map((claim) => claim.id),
      lost.claims.map((claim) => claim.owner),
      lost.claims.map((claim) => claim.instant),
    ],
  };
}

/** The checks engine's part in taking over from a control plane that is gone, and from claims that nobody ends any more. */
export function takeOverChecks({ observe, now }: { observe: Observe; now(): Date }) {
  return async (client: pg.ClientBase, owner: string | null): Promise<void> => {
    const lost: Lost = owner === null ? { before: now() } : { owner };
    for (const { id, instant } of await interruptClaims(client, lost, "its control plane is gone"))
      observe({ kind: "check.interrupted", id, instant: instant.toISOString() });
  };
}
