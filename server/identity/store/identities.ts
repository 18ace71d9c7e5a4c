/** Identities with their passwords and first role. Every write that could race holds one advisory lock. */
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { inTransaction } from "#server/db/pool.ts";
import type { Role } from "#app/contract/access.ts";
import type { Traits } from "../registration.ts";
import { isUuid } from "./uuid.ts";
import { PERSON_COLUMNS, signedIn, type PersonRow, type SignedIn } from "./sessions.ts";
import { insertLink, isUniqueViolation, type Elsewhere } from "./social-links.ts";

/** Creating identities is rare and the first one decides who owns the product: one at a time. */
const LOCK = 7_072_454_010;

export const SCHEMA = "default";

/** An identity as the public API shows it. */
export interface Identity {
  id: string;
  schemaId: string;
  traits: unknown;
  state: string;
  stateChangedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  /** When the address it has now was verified; null: not yet. */
  verifiedAt: Date | null;
}

/** The e-mail of an identity; null when it has none. */
export function emailOf(identity: Identity | null): string | null {
  const { email } = (identity?.traits ?? {}) as { email?: unknown };
  return typeof email === "string" ? email : null;
}

export interface Account {
  person: SignedIn;
  passwordHash: string | null;
  /** Changes with the password; part of the key under which a sign-in is remembered. */
  changedAt: string;
  active: boolean;
}

export interface NewIdentity {
  traits: Traits;
  /** null: invited, the password is still to come. */
  passwordHash: string | null;
  role: Role | null;
  /** The account elsewhere that stands for the password; whoever keeps it vouches for the address. */
  account?: Elsewhere;
  /** Absent: a new one. */
  id?: string;
  /** Mail to the address has reached its owner. */
  isVerified?: boolean;
}

/** What decides whether the identity may be created, checked under the lock. */
export type Permit = { setup: Buffer } | { noSuchAccount: true } | { open: true };
export type Creation = { id: string } | { refused: "exists" | "not permitted" };

/** Another account has the address. */
export const isTaken = isUniqueViolation;

export const IDENTITY_COLUMNS = `id, schema_id as "schemaId", traits, state, state_changed_at at time zone 'UTC' as "stateChangedAt",
  created_at at time zone 'UTC' as "createdAt", updated_at at time zone 'UTC' as "updatedAt",
  (select v.verified_at from internal.verified_addresses v
   where v.identity_id = identities.id and v.address = lower(identities.traits ->> 'email')) as "verifiedAt"`;

/** `$1` the identity, `$2` the address that was proved (null: the one it has), `$3` now. */
export const VERIFY = `insert into internal.verified_addresses (identity_id, address, verified_at)
  select id, lower(traits ->> 'email'), $3 from public.identities
  where id = $1 and ($2::text is null or lower(traits ->> 'email') = lower($2::text))
  on conflict (identity_id) do update set address = excluded.address, verified_at = excluded.verified_at`;

export function createIdentityStore(pool: pg.Pool) {
  return {
    async find(id: string): Promise<Identity | null> {
      if (!isUuid(id)) return null;
      const { rows } = await pool.query<Identity>(
        `select ${IDENTITY_COLUMNS} from public.identities where id = $1`,
        [id],
      );
      return rows[0] ?? null;
    },

    /** The account of an e-mail (any case) with what is needed to judge a password. */
    async findAccount(email: string): Promise<Account | null> {
      const { rows } = await pool.query<
        PersonRow & { password_hash: string | null; changed_at: string; active: boolean }
      >({
        name: "identity.account.find",
        text: `select ${PERSON_COLUMNS}, c.password_hash, coalesce(c.changed_at::text, '') as changed_at,
                 i.state = 'active' as active
               from public.identities i
               join public.people p on p.id = i.id and p.deleted_at is null
               left join internal.credentials c on c.identity_id = i.id
               where lower(i.traits ->> 'email') = lower($1)`,
        values: [email],
      });
      const row = rows[0];
      if (!row) return null;
      return {
        person: signedIn(row),
        passwordHash: row.password_hash,
        changedAt: row.changed_at,
        active: row.active,
      };
    },

    /** For credentials that open no session; a session notes it itself. */
    async noteLogin(personId: string, now: Date): Promise<void> {
      await pool.query("update public.people set last_login = $2 where id = $1", [personId, now]);
    },

    async isEmpty(): Promise<boolean> {
      const { rows } = await pool.query<{ empty: boolean }>(
        "select not exists (select from public.identities) as empty",
      );
      return rows[0]?.empty ?? false;
    },

    /** The value of a property (specification 1 §6); null when it is not set. */
    async property(name: string): Promise<string | null> {
      const { rows } = await pool.query<{ value: string | null }>(
        "select value from public.properties where name = $1 and deleted_at is null",
        [name],
      );
      return rows[0]?.value ?? null;
    },

    /** Creates identity, person (by trigger), password and role together, if the permit still holds. */
    async create(
      {
        traits,
        passwordHash,
        role,
        account,
        id = randomUUID(),
        isVerified = account !== undefined,
      }: NewIdentity,
      permit: Permit,
      now: Date,
    ): Promise<Creation> {
      try {
        return await inTransaction<Creation>(pool, async (client) => {
          await client.query("select pg_advisory_xact_lock($1)", [LOCK]);
          if (!(await permits(client, permit, traits.email, now))) return { refused: "not permitted" };
          await client.query(
            `insert into public.identities (id, schema_id, traits, state, state_changed_at, created_at, updated_at)
             select $1, $2, $3, 'active', at, at, at from (select $4::timestamptz at time zone 'UTC' as at) t`,
            [id, SCHEMA, JSON.stringify(traits), now],
          );
          if (passwordHash !== null)
            await client.query(
              "insert into internal.credentials (identity_id, password_hash, changed_at) values ($1, $2, $3)",
              [id, passwordHash, now],
            );
          if (account) await insertLink(client, account, id);
          if (isVerified) await client.query(VERIFY, [id, traits.email, now]);
          if (role)
            await client.query("insert into internal.role_grants (person_id, role) values ($1, $2)", [
              id,
              role,
            ]);
          return { id };
        });
      } catch (error) {
        if (isTaken(error)) return { refused: "exists" };
        throw error;
      }
    },

    /** Sets the password and ends every other session of the identity. */
    async changePassword(
      id: string,
      passwordHash: string,
      keepSession: string | null,
      now: Date,
    ): Promise<void> {
      await inTransaction(pool, async (client) => {
        await client.query(
          `insert into internal.credentials (identity_id, password_hash, changed_at) values ($1, $2, $3)
           on conflict (identity_id) do update set password_hash = excluded.password_hash,
             changed_at = excluded.changed_at`,
          [id, passwordHash, now],
        );
        await client.query(
          "delete from internal.sessions where identity_id = $1 and id is distinct from $2",
          [id, keepSession],
        );
        await client.query("delete from internal.flows where identity_id = $1 and kind = 'recovery'", [id]);
      });
    },
  };
}

export type IdentityStore = ReturnType<typeof createIdentityStore>;

/** Under the lock: a set-up secret is spent here, so two registrations with it cannot both succeed. */
async function permits(client: pg.ClientBase, permit: Permit, email: string, now: Date): Promise<boolean> {
  if ("open" in permit) return true;
  if ("noSuchAccount" in permit) {
    const taken = await client.query("select from public.identities where lower(traits ->> 'email') = $1", [
      email,
    ]);
    return taken.rowCount === 0;
  }
  const people = await client.query("select from public.identities limit 1");
  if (people.rowCount !== 0) return false;
  const spent = await client.query(
    "delete from internal.flows where kind = 'setup' and secret_hash = $1 and expires_at > $2",
    [permit.setup, now],
  );
  if (spent.rowCount === 0) return false;
  await client.query("delete from internal.flows where kind = 'setup'");
  return true;
}
