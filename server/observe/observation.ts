/**
 * One thing the product has to report. A union, so that a reader can see everything it ever says; free text is only in
 * `message` and `error`. Never put a secret, a cookie, a token or a query string into one.
 */
export type Observation =
  | { kind: "start.step"; step: string; ms: number }
  | { kind: "start.ready"; url: string; ms: number }
  | { kind: "start.failed"; error: string }
  | { kind: "stop"; reason: string }
  | { kind: "child.started"; child: string; pid: number }
  | {
      kind: "child.stopped";
      child: string;
      code: number | null;
      signal: string | null;
      restartInMs: number | null;
    }
  | { kind: "database"; message: string }
  | { kind: "migration.applied"; name: string; ms: number }
  | { kind: "http.failed"; id: string; method: string; path: string; status: number; error: string }
  | { kind: "rest.reloaded"; relations: number; ms: number }
  | { kind: "rest.failed"; error: string }
  | { kind: "engine.tick"; engine: string; due: number }
  | { kind: "engine.failed"; engine: string; id?: string; error: string }
  | { kind: "check.ran"; id: string; status: string; ms: number }
  | { kind: "check.interrupted"; id: string; instant: string }
  | { kind: "notification.sent"; id: string; receiver: string }
  | { kind: "notification.failed"; id: string; attempt: number; error: string }
  | { kind: "identity.signed-in"; identity: string }
  | { kind: "identity.refused"; reason: string }
  | { kind: "identity.registered"; identity: string }
  | { kind: "warning"; message: string };

/** Where observations go. Everything that reports takes one as a parameter. */
export type Observe = (observation: Observation) => void;
