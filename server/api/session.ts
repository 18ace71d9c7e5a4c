/** `/auth/whoami`, and with it `/properties`: small answers about the caller and the installation. */
import { hostname } from "node:os";
import type pg from "pg";
import {
  AGENT_RIGHTS,
  highestRole,
  may,
  RESOURCES,
  type Permission,
  type Role,
} from "#app/contract/access.ts";
import { isDatabaseAway } from "#server/db/away.ts";
import type { Observe } from "#server/observe/observation.ts";
import type { AsCaller } from "./caller.ts";
import { FEATURES } from "./canary.ts";
import { propertyRoutes, readProperties } from "./properties.ts";
import { noLocalProperties, type LocalProperties } from "./properties-file.ts";
import type { Rights } from "./rights.ts";
import type { Route } from "./router.ts";

interface Needs {
  asCaller: AsCaller;
  /** The owner's pool: the flags of every page are read in one round trip, the right to read them is checked here. */
  pool: pg.Pool;
  rights: Pick<Rights, "speak">;
  version: string;
  /** What the control plane can do beyond the contract; all of it unless said. */
  features?: readonly string[];
  observe: Observe;
  /** Properties of the installation's own file. */
  local?: LocalProperties;
}
/** Facts §6.1, §6.6: who is asking with which roles, and the properties (feature flags, tuning). */
export function sessionRoutes({
  asCaller,
  pool,
  rights,
  version,
  features = FEATURES,
  observe,
  local = noLocalProperties,
}: Needs): Route[] {
  /** Null when they cannot be read, which is reported and stops nobody; an absent database stops everything. */
  async function properties(roles: readonly Role[]) {
    if (!may(roles, "read:feature_flags")) return null;
    try {
      return (await readProperties(pool, local)).map(({ name, value }) => ({ name, value }));
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      observe({
        kind: "http.failed",
        id: crypto.randomUUID().slice(0, 8),
        method: "GET",
        path: "/auth/whoami",
        status: 200,
        error: `the properties could not be read: ${error instanceof Error ? error.message : String(error)}`,
      });
      return null;
    }
  }
  return [
    {
      method: "GET",
      path: "/auth/whoami",
      who: "signed-in",
      agents: true,
      // Beyond the contract: the properties and what `/canary/about` says, so that a page asks once (decision 0051), and
      // whether permission records have to be asked at all (0108).
      handler: async (c) => {
        const { personId, name, email, avatar, roles, isAgent } = c.get("principal");
        const user = {
          id: personId,
          name,
          ...(email ? { email } : {}),
          ...(avatar ? { avatar } : {}),
          ...(isAgent ? { type: "agent" } : {}),
        };
        const [flags, records] = isAgent
          ? [null, false]
          : await Promise.all([properties(roles), rights.speak({ personId, roles })]);
        return c.json({
          message: "success",
          payload: {
            user,
            roles: isAgent ? ["agent"] : roles,
            permissions: isAgent
              ? AGENT_RIGHTS.map((right) => ({ subject: "agent", ...right }))
              : permissionsOf(roles),
            hostname: hostname(),
            properties: flags,
            about: { Version: version, features },
            records,
          },
        });
      },
    },
    ...propertyRoutes({ asCaller, local }),
  ];
}

/** Everything the roles allow, as the highest of them: a person without a role is a viewer. */
function permissionsOf(roles: readonly Role[]) {
  const subject = highestRole(roles);
  const permissions = [
    ...RESOURCES.flatMap((object): Permission[] => [`read:${object}`, `write:${object}`]),
    "run:check" as const,
  ];
  return permissions
    .filter((permission) => may(roles, permission))
    .map((permission) => {
      const [action, object] = permission.split(":");
      return { subject, object, action };
    });
}
