import type { Role } from "#app/contract/access.ts";

/** Who calls: made once per request by the authentication of the API, read by every handler. */
export interface Principal {
  /** people.id of the caller; of a stranger the id of nobody. */
  personId: string;
  name: string;
  email: string | null;
  roles: Role[];
  /** The PostgreSQL role the request's transaction runs as: `<database>_<highest role>`. */
  dbRole: string;
  /** `stranger`: without credentials, in standalone mode. */
  via: "session" | "token" | "password" | "stranger";
}
