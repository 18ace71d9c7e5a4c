/** Who a person of an Ory Kratos elsewhere is here: found by id, joined by a verified e-mail, or made at first sight. */
import type pg from "pg";
import { inTransaction } from "#server/db/pool.ts";
import { PERSON_COLUMNS, signedIn, type PersonRow, type SignedIn } from "../store/sessions.ts";
import type { KratosPerson } from "./client.ts";

/** Why somebody Kratos knows is nobody here. */
export type Unwelcome = "inactive" | "e-mail taken";

/** A pool, or one of its connections within a transaction. */
type Queryable = Pick<pg.ClientBase, "query">;

interface Row extends PersonRow {
  state: string | null;
  is_current: boolean;
}

export function createKratosPeople(pool: pg.Pool, { admin, now }: { admin: string | null; now: () => Date }) {
  /** The person of that Kratos identity with roles; `is_current`: name and e-mail are as Kratos has them. */
  async function find(client: Queryable, person: KratosPerson): Promise<Row | null> {
    const { rows } = await client.query<Row>(
      `select ${PERSON_COLUMNS}, i.state,
         coalesce(i.id <> $1::uuid or (lower(i.traits ->> 'email') is not distinct from $2
           and coalesce(i.traits #>> '{name,first}', '') = $3 and coalesce(i.traits #>> '{name,last}', '') = $4), true)
         as is_current
       from public.people p left join public.identities i on i.id = p.id
       where p.deleted_at is null and (p.id = $1 or p.external_id = $1::text)
       order by p.id = $1 desc limit 1`,
      [person.id, person.email, person.first, person.last],
    );
    return rows[0] ?? null;
  }

  return {
    /**
     * The person here, made at first sight as one without a role (a viewer). An account that was here before is joined
     * by its e-mail only when Kratos has verified the address; else whoever registers there could become anybody here.
     */
    async meet(person: KratosPerson): Promise<SignedIn | { unwelcome: Unwelcome }> {
      const known = await find(pool, person);
      if (known?.is_current) return standing(known);
      return inTransaction(pool, async (client) => {
        await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`kratos ${person.id}`]);
        const here = await find(client, person); // another call may have made them while we waited
        if (here) await bringUpToDate(client, person);
        else if (!(await join(client, person)) && !(await make(client, person)))
          return { unwelcome: "e-mail taken" as const };
        const met = await find(client, person);
        return met ? standing(met) : { unwelcome: "inactive" as const };
      });
    },
  };

  function standing(row: Row): SignedIn | { unwelcome: Unwelcome } {
    return row.state === null || row.state === "active" ? signedIn(row) : { unwelcome: "inactive" };
  }

  /** Whoever had the address here before Kratos: from now on they are known by both. */
  async function join(client: pg.ClientBase, person: KratosPerson): Promise<boolean> {
    if (!person.isVerified) return false;
    const { rowCount } = await client.query(
      `update public.people set external_id = $1
       where deleted_at is null and external_id is null and id in
         (select id from public.identities where lower(traits ->> 'email') = $2)`,
      [person.id, person.email],
    );
    return (rowCount ?? 0) > 0;
  }

  /** A trigger makes the person of the identity. False: somebody else here has the address. */
  async function make(client: pg.ClientBase, person: KratosPerson): Promise<boolean> {
    const { rowCount } = await client.query(
      `insert into public.identities (id, schema_id, traits, state, state_changed_at, created_at, updated_at)
       select $1, $2, $3, 'active', at, at, at from (select $4::timestamptz at time zone 'UTC' as at) t
       on conflict do nothing`,
      [person.id, person.schemaId, JSON.stringify(traitsOf(person)), now()],
    );
    if (rowCount === 0) return false;
    if (admin !== null && person.isVerified && person.email === admin.toLowerCase())
      await client.query(
        "insert into internal.role_grants (person_id, role) values ($1, 'admin') on conflict do nothing",
        [person.id],
      );
    return true;
  }

  /** Name and e-mail as Kratos has them now; an address that somebody else has here stays as it was. */
  async function bringUpToDate(client: pg.ClientBase, person: KratosPerson): Promise<void> {
    await client.query(
      `update public.identities i
       set traits = i.traits || case when exists (select from public.identities o
           where o.id <> i.id and lower(o.traits ->> 'email') = $3) then $2::jsonb - 'email' else $2::jsonb end
       where i.id = $1`,
      [person.id, JSON.stringify(traitsOf(person)), person.email],
    );
  }
}

const traitsOf = ({ email, first, last }: KratosPerson) => ({
  ...(email ? { email } : {}),
  name: { first, last },
});
