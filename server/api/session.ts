/** `/auth/whoami`, `/properties`, `/canary/about`-like small answers about the caller and the installation. */
import { hostname } from "node:os";
import { ROLES, RESOURCES, may, highestRole } from "#app/contract/access.ts";
import type { AsCaller } from "./caller.ts";
import type { Route } from "./router.ts";

/** Facts §6.1, §6.6: who is asking with which roles, and the properties (feature flags, tuning). */
export function sessionRoutes(asCaller: AsCaller): Route[] {
  return [
    {
      method: "GET",
      path: "/auth/whoami",
      who: "signed-in",
      handler: (c) => {
        const { personId, name, email, roles } = c.get("principal");
        const user = { id: personId, name, ...(email ? { email } : {}) };
        return c.json({
          message: "success",
          payload: { user, roles, permissions: permissionsOf(roles), hostname: hostname() },
        });
      },
    },
    {
      method: "GET",
      path: "/properties",
      who: "signed-in",
      handler: async (c) => {
        const rows = await asCaller(c.get("principal"), async (client) => {
          const result = await client.query<{ name: string; value: string }>(
            "select name, value from properties where deleted_at is null order by name",
          );
          return result.rows;
        });
        return c.json(
          rows.map(({ name, value }) => ({ name, value, source: "db", type: "", description: "" })),
        );
      },
    },
  ];
}

function permissionsOf(roles: Parameters<typeof may>[0]) {
  const subject = roles.length > 0 ? highestRole(roles) : ROLES[2];
  return RESOURCES.flatMap((object) =>
    (["read", "write"] as const)
      .filter((action) => may(roles, `${action}:${object}`))
      .map((action) => ({ subject, object, action })),
  );
}
