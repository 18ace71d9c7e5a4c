import type { Role } from "#app/contract/access.ts";

/** Who calls: made once per request by the authentication of the API, read by every handler. */
export interface Principal {
  /** people.id of the caller; of a stranger the id of nobody. */
  personId: string;
  name: string;
  email: string | null;
  avatar: string | null;
  roles: Role[];
  /** An agent's token: none of the roles, and only what agents may (AGENT_RIGHTS). */
  isAgent: boolean;
  /** The PostgreSQL role the request's transaction runs as: `<database>_<highest role>`, or `<database>_agent`. */
  dbRole: string;
  /** `stranger`: without credentials, in standalone mode. */
  via: "session" | "token" | "password" | "stranger";
  /** The caller's address, where it is known. */
  client: string | null;
  /** One id for everything this request does, as the audit log has it. */
  request: string;
}

/**
 * `request.jwt.claims` of the caller's transactions: row triggers read from it whose work it is, the audit log also from
 * where (decision 0098).
 */
export const claimsOf = ({ dbRole, personId, via, client, request }: Principal) => ({
  role: dbRole,
  id: personId,
  via,
  client,
  request,
});
