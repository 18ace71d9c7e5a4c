/** What happens at the door, in the audit log: sign-ins and failures, and what people and admins do to accounts. */
import type pg from "pg";
import type { NoteEvent } from "./audit.ts";

/** Failed sign-ins of an hour that are written down, of one account and from one address: guessing fills no disk. */
const FAILURES = { account: 20, client: 100 };
/** Longest address of e-mail there is. */
const MOST = 320;

/** Writes each event as one row; of a failure nobody is the actor, since whoever it was did not prove to be anybody. */
export function createAuditLog(pool: pg.Pool): NoteEvent {
  return async ({ action, personId, email, client, method, by, reason }) => {
    const isFailure = action === "sign-in-failed";
    // What has no @ was meant for another field, perhaps the password's.
    const typed = email?.includes("@") ? email.slice(0, MOST).toLowerCase() : null;
    const details = { ...(method ? { method } : {}), ...(reason ? { reason } : {}) };
    await pool.query({
      name: "identity.audit",
      text: `with subject as (
               select (select coalesce(email, name) from public.people where id = $2::uuid) as record
             ), written as (
               select actor.id as actor_id, actor.name as actor, coalesce(subject.record, $3) as record
               from subject left join public.people as actor on actor.id = $4::uuid
             )
             insert into public.audit_log (actor_id, actor, client, action, kind, record_id, record, after)
             select actor_id, actor, $5, $1, $6, $2::uuid::text, record, $7::jsonb from written
             where not $8 or (
               (select count(*) from (select from public.audit_log as known where known.action = 'sign-in-failed'
                  and known.record = written.record and known.at > now() - interval '1 hour' limit $9) as of_account) < $9
               and (select count(*) from (select from public.audit_log as known where known.action = 'sign-in-failed'
                  and known.client = $5 and known.at > now() - interval '1 hour' limit $10) as of_client) < $10)`,
      values: [
        action,
        personId,
        typed,
        isFailure ? null : (by ?? personId),
        client,
        KINDS.get(action) ?? "identities",
        Object.keys(details).length > 0 ? JSON.stringify(details) : null,
        isFailure,
        FAILURES.account,
        FAILURES.client,
      ],
    });
  };
}

/** Events of sessions; the others are of accounts. */
const KINDS: ReadonlyMap<string, string> = new Map(
  ["sign-in", "sign-in-failed", "sign-out", "session-ended"].map((action) => [action, "sessions"]),
);
