/**
 * What a caller may do with one resource (decision 0096): the role's rights, what permission records add and take. The
 * rule itself is `internal.right_of`, which the triggers of the tables ask too.
 */
import type pg from "pg";
import { may, type Permission, type Role } from "#app/contract/access.ts";
import { LENDABLE } from "#app/contract/relations.ts";
import { permissionFor, type ResourceKind, type Right } from "#app/contract/words/permissions.ts";
import type { Principal } from "./principal.ts";

/** `hidden`: it is not there for this caller, whether it exists or not. */
type Verdict = "yes" | "no" | "hidden";
/** One right to one resource: of which kind, and the parameter of the path that holds its id. */
export interface About {
  right: Right;
  kind: ResourceKind;
  param: string;
}
type Who = Pick<Principal, "personId" | "roles">;

export interface Rights {
  /** For each right asked about, in order. */
  of(who: Who, kind: ResourceKind, id: string, rights: readonly Right[]): Promise<Verdict[]>;
  /** Is there any record that could change what the roles say? Admins may everything, whatever is recorded. */
  speak(who: Who): Promise<boolean>;
  /** Is there any record that lets the caller do what the role may not, with the relation of this request? */
  lends(who: Who, method: string, relation: string): Promise<boolean>;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isId = (text: string | undefined): text is string => text !== undefined && UUID.test(text);

/** Where the resources of each kind are. */
const RELATION: Record<ResourceKind, string> = {
  config: "public.config_items",
  component: "public.components",
  canary: "public.canaries",
  check: "internal.checks",
  connection: "public.connections",
  playbook: "public.playbooks",
};

/** What records must allow for a method, and the write of the table that it is; a soft delete is a PATCH. */
const ACTIONS: Readonly<Record<string, { records: readonly Right[]; grants: "read" | "write" }>> = {
  GET: { records: ["read"], grants: "read" },
  HEAD: { records: ["read"], grants: "read" },
  POST: { records: ["create"], grants: "write" },
  PATCH: { records: ["update", "delete"], grants: "write" },
  DELETE: { records: ["delete"], grants: "write" },
};

/** `pool` is the owner's: the records of others are asked about too. */
export function createRights(pool: pg.Pool): Rights {
  return {
    async of({ personId, roles }, kind, id, rights) {
      if (!isId(id)) return rights.map(() => "hidden");
      const { rows } = await pool.query<{ verdict: Verdict }>({
        name: `rights.${kind}`,
        text: `select internal.right_of($1, $2, asked.by_role, asked.wanted, $3, $4) as verdict
          from unnest($5::text[], $6::boolean[]) with ordinality as asked (wanted, by_role, place)
          where exists (select from ${RELATION[kind]} where id = $4)
          order by place`,
        values: [personId, roles.includes("admin"), kind, id, rights, byRole(roles, kind, rights)],
      });
      return rows.length === 0 ? rights.map(() => "hidden") : rows.map(({ verdict }) => verdict);
    },
    async speak({ personId, roles }) {
      if (roles.includes("admin")) return false;
      const { rows } = await pool.query<{ speak: boolean }>({
        name: "rights.speak",
        text: "select exists (select from internal.records_of($1)) as speak",
        values: [personId],
      });
      return rows[0]?.speak ?? false;
    },
    async lends({ personId }, method, relation) {
      const lendable = LENDABLE.get(relation);
      const needed = ACTIONS[method];
      if (!lendable || !needed) return false;
      const { rows } = await pool.query<{ lends: boolean }>({
        name: "rights.lends",
        text: "select internal.lends($1, $2, $3) as lends",
        values: [personId, lendable.kind, needed.records],
      });
      return rows[0]?.lends ?? false;
    },
  };
}

const byRole = (roles: readonly Role[], kind: ResourceKind, rights: readonly Right[]): boolean[] =>
  rights.map((right) => may(roles, permissionFor(right, kind)));

/** The permission that a role needs for a method on a relation that records may open; null: records cannot. */
export function permissionOf(method: string, relation: string): Permission | null {
  const lendable = LENDABLE.get(relation);
  const needed = ACTIONS[method];
  return lendable && needed
    ? permissionFor(needed.grants === "read" ? "read" : "update", lendable.kind)
    : null;
}
