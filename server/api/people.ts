/**
 * What administrators change of other people (facts: backend §6.3, §6.4), each in one transaction with the rules of the
 * database: nobody takes anything from himself, and the last administrator stays one (migration 0091).
 */
import type pg from "pg";
import { z } from "zod";
import { may, ROLES } from "#app/contract/access.ts";
import { CHANGED, KEPT_ELSEWHERE } from "#app/contract/words/people.ts";
import { isEmail, normaliseEmail } from "#server/identity/registration.ts";
import { acting } from "./acting.ts";
import { readBody } from "./body.ts";
import { ApiError } from "./errors.ts";
import { setRoles } from "./rbac.ts";
import type { ApiContext, Route } from "./router.ts";

const LONGEST = 200;
const ADDRESS = "email must be an address like ada@example.com.";
const given = (name: string) =>
  z
    .string({ error: `${name} must be text.` })
    .trim()
    .min(1, `${name} must not be empty.`)
    .max(LONGEST, `${name} must not be longer than ${LONGEST} characters.`)
    .optional();
/** Forms send words. */
const yes = z.union([z.boolean(), z.enum(["true", "false"]).transform((word) => word === "true")], {
  error: "active must be true or false.",
});

const PersonChange = z.object({
  id: z.guid("id must be that of a user."),
  firstName: given("firstName"),
  lastName: given("lastName"),
  email: z.string({ error: ADDRESS }).transform(normaliseEmail).refine(isEmail, ADDRESS).optional(),
  role: z.enum(ROLES, { error: `role must be one of ${ROLES.join(", ")}.` }).optional(),
  active: yes.optional(),
  /** Beyond the contract: the `updated_at` that was seen, so that two people do not undo each other's change. */
  seen: z
    .string()
    .refine((text) => !Number.isNaN(Date.parse(text)), "seen must be a time.")
    .optional(),
});
type PersonChange = z.output<typeof PersonChange>;

const StateChange = z.object({
  id: z.string().optional(),
  state: z.enum(["active", "inactive"], { error: "state must be active or inactive." }),
});
const Properties = z.strictObject(
  {
    role: z
      .string({ error: "role must be text." })
      .max(LONGEST, `role must not be longer than ${LONGEST} characters.`)
      .optional(),
  },
  { error: "Only role can be set." },
);

const NO_USER = "There is no such user.";

interface Needs {
  /** The owner's: the routes decide who may, the rules of the database hold all the same. */
  pool: pg.Pool;
  /** Accounts are kept here, and not by an identity service elsewhere, whose names and addresses would come back. */
  hasAccounts?: boolean;
}

export function peopleRoutes({ pool, hasAccounts = true }: Needs): Route[] {
  return [
    {
      method: "POST",
      path: "/people/update",
      who: "write:identities",
      handler: async (c) => {
        const change = await readBody(c, PersonChange);
        if (change.role !== undefined) requireRoles(c);
        const traits = await acting(pool, c.get("principal"), async (client) => {
          if (!hasAccounts) await requireSameTraits(client, change);
          return changePerson(client, change);
        });
        return c.json(traits);
      },
    },
    {
      method: "DELETE",
      path: "/people/:id",
      who: "write:identities",
      handler: async (c) => {
        const id = idOf(c);
        const { rowCount } = await acting(pool, c.get("principal"), (client) =>
          client.query("delete from public.identities where id = $1", [id]),
        );
        if (rowCount !== 1) throw new ApiError(404, NO_USER);
        return c.body(null, 204);
      },
    },
    {
      method: "POST",
      path: "/auth/:id/update_state",
      who: "write:identities",
      handler: async (c) => {
        const id = idOf(c);
        const { id: named, state } = await readBody(c, StateChange);
        if (named !== undefined && named !== id)
          throw new ApiError(400, "id: the body names another user than the address does.");
        const { rowCount } = await acting(pool, c.get("principal"), (client) =>
          client.query("update public.identities set state = $2 where id = $1", [id, state]),
        );
        if (rowCount !== 1) throw new ApiError(404, NO_USER);
        return c.json({ message: "success" });
      },
    },
    {
      method: "POST",
      path: "/auth/:id/properties",
      who: "write:identities",
      handler: async (c) => {
        const id = idOf(c);
        const properties = await readBody(c, Properties);
        const { rowCount } = await acting(pool, c.get("principal"), (client) =>
          client.query(
            `update public.people set properties = coalesce(properties, '{}') || $2::jsonb
             where id = $1 and deleted_at is null`,
            [id, JSON.stringify(properties)],
          ),
        );
        if (rowCount !== 1) throw new ApiError(404, NO_USER);
        return c.json({ message: "success" });
      },
    },
  ];
}

/** Roles are a resource of their own. */
function requireRoles(c: ApiContext): void {
  if (!may(c.get("principal").roles, "write:rbac"))
    throw new ApiError(403, "role: you may not change roles.");
}

function idOf(c: ApiContext): string {
  const id = z.guid().safeParse(c.req.param("id"));
  if (!id.success) throw new ApiError(404, NO_USER);
  return id.data;
}

/** Throws 400 for a name or an address that would be another: whoever keeps them says what they are. */
async function requireSameTraits(
  client: pg.ClientBase,
  { id, firstName, lastName, email }: PersonChange,
): Promise<void> {
  const { rows } = await client.query<Record<"firstName" | "lastName" | "email", string>>(
    `select coalesce(traits #>> '{name,first}', '') as "firstName",
       coalesce(traits #>> '{name,last}', '') as "lastName", coalesce(lower(traits ->> 'email'), '') as email
     from public.identities where id = $1`,
    [id],
  );
  const kept = rows[0];
  if (!kept) return; // said where it is changed
  for (const [name, value] of Object.entries({ firstName, lastName, email }))
    if (value !== undefined && value !== kept[name as keyof typeof kept])
      throw new ApiError(400, `${name}: ${KEPT_ELSEWHERE}`);
}

/** Only what is given changes; the answer is what the traits are then. Throws 404 for an unknown id. */
async function changePerson(
  client: pg.ClientBase,
  { id, firstName, lastName, email, role, active, seen }: PersonChange,
): Promise<{ email: string; name: { first: string; last: string } }> {
  const { rows } = await client.query<{ email: string; first: string; last: string }>(
    `update public.identities set
       traits = traits
         || jsonb_strip_nulls(jsonb_build_object('email', $2::text))
         || jsonb_build_object('name', coalesce(traits -> 'name', '{}')
              || jsonb_strip_nulls(jsonb_build_object('first', $3::text, 'last', $4::text))),
       state = coalesce($5::varchar, state),
       updated_at = clock_timestamp() at time zone 'UTC'
     where id = $1 and ($6::timestamptz is null or updated_at at time zone 'UTC' = $6)
     returning traits ->> 'email' as email, coalesce(traits #>> '{name,first}', '') as first,
       coalesce(traits #>> '{name,last}', '') as last`,
    [id, email ?? null, firstName ?? null, lastName ?? null, stateOf(active), seen ?? null],
  );
  const traits = rows[0];
  if (!traits) throw await missing(client, id);
  if (role !== undefined) await setRoles(client, id, [role]);
  return { email: traits.email, name: { first: traits.first, last: traits.last } };
}

/** Gone, or not as it was seen. */
async function missing(client: pg.ClientBase, id: string): Promise<ApiError> {
  const { rowCount } = await client.query("select from public.identities where id = $1", [id]);
  return rowCount === 0 ? new ApiError(404, NO_USER) : new ApiError(409, CHANGED);
}

const stateOf = (active: boolean | undefined) =>
  active === undefined ? null : active ? "active" : "inactive";
