import type pg from "pg";
import { ROLES, type Role } from "#app/contract/access.ts";
import { createIdentity } from "#server/identity/index.ts";

export const PASSWORD = "correct horse battery";
/** One person of each role, and one without any. */
export const PEOPLE = Object.fromEntries(
  [...ROLES, "nobody"].map((role) => [role, { email: `${role}@example.com`, password: PASSWORD }]),
) as Record<Role | "nobody", { email: string; password: string }>;

/** Makes the accounts of PEOPLE that are missing, through the identity service, and gives each exactly its role. */
export async function createPeople(pool: pg.Pool): Promise<void> {
  for (const [role, { email }] of Object.entries(PEOPLE))
    await createAccount(pool, email, role === "nobody" ? [] : [role as Role]);
}

/** An account with exactly these roles and the password of everybody here. Returns the person's id. */
export async function createAccount(pool: pg.Pool, email: string, roles: readonly Role[]): Promise<string> {
  const identity = createIdentity({ pool, publicUrl: null, secureCookies: false, observe: () => undefined });
  await identity.createAdmin(email, PASSWORD);
  const [name = ""] = email.split("@");
  await pool.query(
    `update identities set traits = jsonb_set(traits, '{name}', jsonb_build_object('first', $2::text, 'last', 'Example'))
      where traits->>'email' = $1`,
    [email, name[0]!.toUpperCase() + name.slice(1)],
  );
  const { rows } = await pool.query<{ id: string }>("select id from people where email = $1", [email]);
  const id = rows[0]!.id;
  await setRoles(pool, id, roles);
  return id;
}

/** Gives a person exactly these roles. */
export async function setRoles(pool: pg.Pool, person: string, roles: readonly Role[]): Promise<void> {
  await pool.query(
    `with gone as (delete from internal.role_grants where person_id = $1 and role <> all ($2::text[]))
     insert into internal.role_grants (person_id, role) select $1, unnest($2::text[]) on conflict do nothing`,
    [person, roles],
  );
}
