/** `/rbac` (facts: backend §6.5): who holds which role, and what each role may. */
import type pg from "pg";
import { z } from "zod";
import { may, RESOURCES, ROLES, type Role } from "#app/contract/access.ts";
import { acting } from "./acting.ts";
import { readBody } from "./body.ts";
import { ApiError } from "./errors.ts";
import type { Route } from "./router.ts";

const words = `roles must be a list of ${ROLES.join(", ")}; an empty one makes a viewer.`;
const RolesChange = z.object({ roles: z.array(z.enum(ROLES, { error: words }), { error: words }) });

export function rbacRoutes({ pool }: { pool: pg.Pool }): Route[] {
  return [
    {
      // The roles become these: a call that only ever added could not take one back (decision 0100).
      method: "POST",
      path: "/rbac/:id/update_role",
      who: "write:rbac",
      handler: async (c) => {
        const id = z.guid().safeParse(c.req.param("id"));
        if (!id.success) throw new ApiError(404, "There is no such user.");
        const { roles } = await readBody(c, RolesChange);
        await acting(pool, c.get("principal"), async (client) => {
          const { rowCount } = await client.query(
            "select from public.people where id = $1 and deleted_at is null and type is distinct from 'system' for update",
            [id.data],
          );
          if (rowCount !== 1) throw new ApiError(404, "There is no such user.");
          await setRoles(client, id.data, roles);
        });
        return c.json({ message: "Role updated successfully" });
      },
    },
    { method: "GET", path: "/rbac/dump", who: "read:rbac", handler: (c) => c.json(policies()) },
  ];
}

/** Gives a person exactly these roles: what stays is not touched, so that its triggers stay silent. */
export async function setRoles(client: pg.ClientBase, person: string, roles: readonly Role[]): Promise<void> {
  const wanted = [...new Set(roles)];
  await client.query("delete from internal.role_grants where person_id = $1 and role <> all ($2::text[])", [
    person,
    wanted,
  ]);
  await client.query(
    "insert into internal.role_grants (person_id, role) select $1, unnest($2::text[]) on conflict do nothing",
    [person, wanted],
  );
}

/** The table of specification 1 §6 as lines of subject, object and action. */
function policies() {
  return ROLES.flatMap((subject) => [
    ...RESOURCES.flatMap((object) =>
      (["read", "write"] as const)
        .filter((action) => may([subject], `${action}:${object}`))
        .map((action) => ({ subject, object, action })),
    ),
    ...(may([subject], "run:check") ? [{ subject, object: "check", action: "run" }] : []),
  ]);
}
