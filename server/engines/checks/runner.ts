import type { z } from "zod";
import type { Environment, Rendering } from "../expressions/index.ts";
import { guarded } from "./guard.ts";
import type { Related } from "./selector.ts";
import type { Sample } from "./measures.ts";

/** What one run found. `error` says why it is unhealthy; `invalid` that the spec could not be run at all. */
export interface Outcome {
  status: "healthy" | "unhealthy";
  message?: string;
  error?: string;
  invalid?: boolean;
  /** Kept with the status row and returned by Run Now. Never a secret: everybody who may read checks reads it. */
  details?: Record<string, unknown>;
  /** How long what was measured took, in milliseconds, where that is not the run (a ping is not its sending five times). */
  ms?: number;
  /** Added to the check's own, under those that its canary says. */
  labels?: Record<string, string>;
  /** What expressions see; `results` is the details unless it says otherwise. Dropped once they are answered. */
  environment?: Environment;
  /** What it is about, where its spec says so. */
  related?: Related;
  /** The results that the transform made checks of their own of. */
  transformed?: Transformed[];
  /** What a passing result measured for Prometheus. */
  samples?: Sample[];
}

/** The check as its row has it; what a row has not may be absent. */
export interface Given {
  type: string;
  namespace: string;
  spec: unknown;
  id?: string;
  name?: string;
  description?: string | null;
  labels?: Record<string, string>;
  canaryId?: string;
  canaryName?: string;
  /** Of the canary: what it says about how it is run. */
  annotations?: Record<string, string>;
}
/** A check of its own that a transform made of one entry. What it does not say it has from its parent. */
export interface Transformed {
  name: string;
  type: string | null;
  namespace: string | null;
  description: string | null;
  icon: string | null;
  labels: Record<string, string>;
  /** The entry says that there is no such check any more. */
  deleted: boolean;
  start: Date | null;
  outcome: Outcome;
}

/** A stored connection with its references resolved. */
export interface Connection {
  url: string;
  username?: string;
  password?: string;
  /** What the connection is of, such as `postgres`. */
  type?: string;
  certificate?: string;
  /** Its further fields, such as region or bucket. */
  properties?: Record<string, string>;
  /** Any certificate of the server is accepted. */
  insecureTls?: boolean;
  /** Those of its values that nobody must see, besides password and certificate. */
  secrets?: readonly string[];
  /** Only `SELECT 1` may be sent: the connection may do more than those who write checks may. */
  pingOnly?: boolean;
}

/** What a runner may use besides its spec. */
export interface RunContext {
  /** Aborts at the run's time limit, or when the control plane stops. */
  signal: AbortSignal;
  /** That limit, in milliseconds: for what goes on elsewhere when we hang up. */
  timeoutMs: number;
  /** The namespace of the canary: where a bare connection name is looked up. */
  namespace: string;
  /** The canary's annotations: with `template: "false"` a query is sent as it stands. */
  annotations: Record<string, string>;
  /**
   * The value with the templates of its strings filled in (`{{ }}`, and `$( )` unless `dollar` is false): they see the canary,
   * the check and these values, each by its own name. Throws a sentence that names the field.
   */
  render<T>(value: T, values?: Record<string, unknown>, options?: Rendering): Promise<T>;
  /** Throws a sentence when there is no such connection. */
  connection(reference: string): Promise<Connection>;
  /** Masks a secret that came up during the run (a token, a header) in whatever the run says. */
  conceal(secret: string): void;
}

/** One check type: the shape of its spec and how to run it. Pure of storage, scheduling and clocks. */
export interface Runner<S extends z.ZodType = z.ZodType> {
  spec: S;
  run(spec: z.output<S>, context: RunContext): Promise<Outcome>;
}
/** A runner of which nothing gets loose: whatever it or its library throws is its own run's failure. */
export const runner = <S extends z.ZodType>({ spec, run }: Runner<S>): Runner =>
  ({
    spec,
    run: (given, context) => guarded(() => run(given, context)),
  }) satisfies Runner<S> as unknown as Runner;

export const healthy = (details?: Record<string, unknown>): Outcome => ({ status: "healthy", details });
export const unhealthy = (error: string, details?: Record<string, unknown>): Outcome => ({
  status: "unhealthy",
  error,
  details,
});
export const invalid = (error: string): Outcome => ({ status: "unhealthy", error, invalid: true });

/** The words of an error, also of one whose message is empty (several addresses refused at once have none). */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "")
    return error.errors.map((part) => reasonOf(part)).join("; ");
  if (!(error instanceof Error)) return String(error);
  return error.message || ("code" in error ? String(error.code) : error.name);
}

/** The values of `env` entries by their names. */
export const valuesOf = (
  entries: readonly { name: string; value: string }[] | undefined,
): Record<string, string> => Object.fromEntries((entries ?? []).map(({ name, value }) => [name, value]));

/** The text with `$(name)` replaced; a name that has no value stays, so that it shows in the error. */
export function fill(template: string, values: Record<string, string | undefined>): string {
  return template.replace(/\$\(([\w.-]+)\)/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}
