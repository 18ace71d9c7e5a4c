import type { Role } from "#app/contract/access.ts";

/** Who calls: made once per request by the authentication of the API, read by every handler. */
export interface Principal {
  /** people.id of the caller. */
  personId: string;
  name: string;
  email: string | null;
  roles: Role[];
  /** The PostgreSQL role the request's transaction runs as: `<database>_<highest role>`. */
  dbRole: string;
  via: "session" | "token" | "password";
}
