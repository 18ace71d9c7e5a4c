/** The people of the demo, who can sign in: made through the identity service like everybody else. */
import type pg from "pg";
import { DEMO_PASSWORD, DEMO_PEOPLE } from "#app/contract/words/demo.ts";
import { createIdentity } from "#server/identity/index.ts";

/** Makes those who are missing, with their roles and teams; returns the id of the administrator. */
export async function ensurePeople(pool: pg.Pool): Promise<string> {
  const identity = createIdentity({ pool, publicUrl: null, secureCookies: false, observe: () => undefined });
  const ids = new Map<string, string>();
  for (const { first, last, email, role, title } of DEMO_PEOPLE) {
    await identity.createAdmin(email, DEMO_PASSWORD);
    await pool.query(
      `update public.identities set traits = jsonb_set(traits, '{name}', jsonb_build_object('first', $2::text, 'last', $3::text))
       where traits ->> 'email' = $1 and traits -> 'name' is distinct from jsonb_build_object('first', $2::text, 'last', $3::text)`,
      [email, first, last],
    );
    const { rows } = await pool.query<{ id: string }>(
      `update public.people set title = $2, properties = '{"demo": "true"}' where email = $1 and deleted_at is null returning id`,
      [email, title],
    );
    const { id } = rows[0]!;
    ids.set(email, id);
    await pool.query("delete from internal.role_grants where person_id = $1 and role <> $2", [id, role]);
    await pool.query(
      "insert into internal.role_grants (person_id, role) values ($1, $2) on conflict do nothing",
      [id, role],
    );
  }
  const admin = ids.get(DEMO_PEOPLE[0]!.email)!;
  for (const { team, email } of DEMO_PEOPLE)
    await pool.query(
      `with made as (
         insert into public.teams (name, icon, source, created_by) values ($1, 'group', 'UI', $2)
         on conflict (name) where deleted_at is null do update set name = excluded.name returning id
       )
       insert into public.team_members (team_id, person_id) select id, $3 from made on conflict do nothing`,
      [team, admin, ids.get(email)],
    );
  return admin;
}
