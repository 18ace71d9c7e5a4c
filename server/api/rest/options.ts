/** What `createRest` can be told. Everything but the pool and the schema has a default. */
import type { Pool } from "pg";
import type { Observation } from "#server/observe/observation.ts";

export type RestObserve = (observation: Observation) => void;

/** Whom the request's transaction runs as, and what the database may know about them. */
export interface RestPrincipal {
  dbRole: string;
  claims: Record<string, unknown>;
  /** A stranger: is refused with 401. */
  isStranger?: boolean;
  readsFrom?: Elsewhere;
}

/** Relations are read in another schema, where they have the same names; `relations`: only these. */
export interface Elsewhere {
  schema: string;
  relations?: ReadonlySet<string>;
}

/** One relation or function that a request would touch. */
export interface Use {
  kind: "relation" | "rpc";
  name: string;
  action: "read" | "insert" | "update" | "delete" | "call";
  /** Reached from another relation (an embed or its junction), not by the path. */
  embedded: boolean;
}

export type Verdict = "yes" | "unknown" | "no";

export interface Limits {
  /** Characters of the raw query string. */
  queryLength: number;
  /** Levels of embeds below the root. */
  embedDepth: number;
  /** Relations of one request, junctions included. */
  relations: number;
  /** Filters and logic groups. */
  logicNodes: number;
  /** Bytes of a body. */
  bodySize: number;
}

export interface RestOptions {
  /** Logged in as a NOINHERIT role that is a member of every role used. */
  pool: Pool;
  /** The exposed schema, or several: the first is the default, the others are chosen by Accept- or Content-Profile. */
  schema: string | string[];
  /** Further schemas on the search path; default `public`. */
  extraSearchPath?: string[];
  /** Whom a request without credentials runs as; without it such a request is 401. */
  anonymousRole?: string;
  /** `schema.function`, called before each request's statement. */
  preRequest?: string;
  /** When set, Bearer tokens (HS256) are verified here; otherwise the caller passes a principal. */
  jwtSecret?: string;
  txEnd?: "commit" | "commit-allow-override" | "rollback" | "rollback-allow-override";
  /** Rows at most of every read and embed; default 2000. */
  maxRows?: number;
  /** Milliseconds, for roles without a statement_timeout of their own; default 60,000. */
  statementTimeoutMs?: number;
  /** Milliseconds a write waits for a lock; default: the server's. */
  lockTimeoutMs?: number;
  /** Aggregates in `select`; default off. */
  aggregates?: boolean;
  /** `app.settings.<name>` for each request's transaction. */
  settings?: Record<string, string>;
  /** Asked for every relation and function of a request. Absent: everything is left to PostgreSQL's grants. */
  allow?: (use: Use, principal: RestPrincipal) => Verdict;
  limits?: Partial<Limits>;
  observe?: RestObserve;
  now?: () => Date;
}

export const DEFAULT_LIMITS: Limits = {
  queryLength: 32_768,
  embedDepth: 6,
  relations: 20,
  logicNodes: 200,
  bodySize: 8 * 1024 * 1024,
};
