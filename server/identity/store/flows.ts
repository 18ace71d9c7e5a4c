/** Self-service flows, set-up and recovery links, and errors to be read by a browser, in internal.flows. */
import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Flow } from "../flow.ts";
import type { UiNode } from "../nodes.ts";
import type { FormKind, UiText } from "../texts.ts";
import { isUuid } from "./uuid.ts";

interface FlowRow {
  id: string;
  kind: FormKind;
  state: Flow["state"];
  issued_at: Date;
  expires_at: Date;
  updated_at: Date;
  request_url: string;
  return_to: string | null;
  refresh: boolean;
  requested_aal: "aal1" | "aal2";
  csrf_hash: Buffer | null;
  secret_hash: Buffer | null;
  identity_id: string | null;
  ui: { nodes: UiNode[]; messages: UiText[] };
  context: Record<string, unknown>;
}

export interface StoredError {
  id: string;
  error: unknown;
  at: Date;
}

export function createFlowStore(pool: pg.Pool) {
  return {
    /** Keeps a flow. Of its context only what this request added is written, so that what was spent stays spent. */
    async save(flow: Flow): Promise<void> {
      const ui = JSON.stringify({ nodes: flow.nodes, messages: flow.messages });
      await pool.query({
        name: "identity.flow.save",
        text: `insert into internal.flows (id, kind, state, issued_at, expires_at, updated_at, request_url, return_to,
                 refresh, requested_aal, csrf_hash, secret_hash, identity_id, ui, context)
               values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
               on conflict (id) do update set state = excluded.state, updated_at = excluded.updated_at,
                 ui = excluded.ui, csrf_hash = excluded.csrf_hash, context = flows.context || excluded.context`,
        values: [
          flow.id,
          flow.kind,
          flow.state,
          flow.issuedAt,
          flow.expiresAt,
          flow.updatedAt,
          flow.requestUrl,
          flow.returnTo,
          flow.refresh,
          flow.requestedAal,
          flow.csrfHash,
          flow.secretHash,
          flow.identityId,
          ui,
          JSON.stringify(flow.kept),
        ],
      });
    },

    async find(kind: FormKind, id: string): Promise<Flow | null> {
      if (!isUuid(id)) return null;
      const { rows } = await pool.query<FlowRow>({
        name: "identity.flow.find",
        text: `select id, kind, state, issued_at, expires_at, updated_at, request_url, return_to, refresh, requested_aal,
                 csrf_hash, secret_hash, identity_id, ui, context
               from internal.flows where id = $1 and kind = $2`,
        values: [id, kind],
      });
      return rows[0] ? flowOf(rows[0]) : null;
    },

    /** Spends what a part kept beside a flow: of several requests at once one gets it, the others undefined. */
    async take(id: string, name: string): Promise<unknown> {
      const { rows } = await pool.query<{ value: unknown }>({
        name: "identity.flow.take",
        text: `update internal.flows f set context = f.context - $2::text
               from (select id, context from internal.flows where id = $1 and context ? $2::text for update) as before
               where f.id = before.id and f.context ? $2::text returning before.context -> $2::text as value`,
        values: [id, name],
      });
      return rows[0]?.value;
    },

    async remove(id: string): Promise<void> {
      await pool.query("delete from internal.flows where id = $1", [id]);
    },

    /** Keeps what went wrong for a day, for the page a browser is sent to; returns its id. */
    async saveError(error: unknown, now: Date): Promise<string> {
      const id = randomUUID();
      await pool.query(
        `insert into internal.flows (id, kind, state, issued_at, expires_at, updated_at, request_url, ui)
         values ($1, 'error', 'error', $2, $2::timestamptz + interval '1 day', $2, '', $3)`,
        [id, now, JSON.stringify({ error })],
      );
      return id;
    },

    async findError(id: string, now: Date): Promise<StoredError | null> {
      if (!isUuid(id)) return null;
      const { rows } = await pool.query<{ id: string; error: unknown; at: Date }>(
        `select id, ui -> 'error' as error, issued_at as at
         from internal.flows where id = $1 and kind = 'error' and expires_at > $2`,
        [id, now],
      );
      return rows[0] ?? null;
    },

    /** A one-time secret: the set-up link of an empty installation, or somebody's recovery link. */
    async saveSecret(
      secret: { id: string; kind: "setup" | "recovery"; hash: Buffer; identityId: string | null },
      now: Date,
      expiresAt: Date,
    ): Promise<void> {
      await pool.query(
        `insert into internal.flows (id, kind, state, issued_at, expires_at, updated_at, request_url, secret_hash,
           identity_id, ui)
         values ($1, $2, 'choose_method', $3, $4, $3, '', $5, $6, '{}')`,
        [secret.id, secret.kind, now, expiresAt, secret.hash, secret.identityId],
      );
    },

    /** Whether a set-up link with this secret is open: it is kept, and nobody has an account yet. */
    async isSetupOpen(hash: Buffer, now: Date): Promise<boolean> {
      const { rows } = await pool.query<{ open: boolean }>(
        `select exists (select from internal.flows where kind = 'setup' and secret_hash = $1 and expires_at > $2)
            and not exists (select from public.identities) as open`,
        [hash, now],
      );
      return rows[0]?.open ?? false;
    },

    /** Spends a recovery link; the identity it was made for, once. */
    async takeRecovery(id: string, hash: Buffer, now: Date): Promise<string | null> {
      if (!isUuid(id)) return null;
      const { rows } = await pool.query<{ identity_id: string }>(
        `delete from internal.flows f using public.identities i
         where f.id = $1 and f.kind = 'recovery' and f.secret_hash = $2 and f.expires_at > $3
           and i.id = f.identity_id and i.state = 'active'
         returning f.identity_id`,
        [id, hash, now],
      );
      return rows[0]?.identity_id ?? null;
    },

    /** Flows are kept a day past their end, so that a late form gets "expired" and not "unknown". */
    async removeOld(now: Date): Promise<number> {
      const { rowCount } = await pool.query(
        "delete from internal.flows where expires_at < $1::timestamptz - interval '1 day'",
        [now],
      );
      return rowCount ?? 0;
    },
  };
}

export type FlowStore = ReturnType<typeof createFlowStore>;

function flowOf(row: FlowRow): Flow {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
    updatedAt: row.updated_at,
    requestUrl: row.request_url,
    returnTo: row.return_to,
    refresh: row.refresh,
    requestedAal: row.requested_aal,
    csrfHash: row.csrf_hash,
    secretHash: row.secret_hash,
    identityId: row.identity_id,
    nodes: row.ui.nodes,
    messages: row.ui.messages,
    context: row.context,
    kept: {},
  };
}
