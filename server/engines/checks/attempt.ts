import { problems } from "#app/contract/fields.ts";
import { nearestCheckType, notRunHere } from "#app/contract/words/check-types.ts";
import { renderStrings, TemplateError } from "../expressions/index.ts";
import { createLookUp, type LookUp } from "../references.ts";
import { judge, type About, type Expressions } from "./judge.ts";
import { limited } from "./limit.ts";
import { createMask, type Mask } from "./mask.ts";
import { withRelated, type Relationships } from "./related.ts";
import { concealConnection, resolveReferences, Unresolved } from "./resolve.ts";
import {
  invalid,
  reasonOf,
  unhealthy,
  type Connection,
  type Given,
  type Outcome,
  type RunContext,
} from "./runner.ts";
import { runners } from "./runners/index.ts";
import { isSuite, runSuite } from "./suite.ts";

/** Looks a stored connection up for a check of the given type and namespace; throws a sentence when there is none. */
export type ResolveConnection = (
  reference: string,
  asker: { type: string; namespace: string },
) => Promise<Connection>;

/** Thrown instead of an outcome when the control plane stops while the check runs. */
export class Stopped extends Error {}

interface Terms {
  resolveConnection: ResolveConnection;
  /** Where the values are that specs only refer to; nowhere, unless given. */
  lookUp?: LookUp;
  timeoutMs: number;
  /** Aborted with Stopped when the control plane stops. */
  stop: AbortSignal;
  /** The newest stored result of a check, for `last_result()` of its expressions. */
  lastResult?: (id: string) => Promise<Record<string, unknown> | null>;
}

const NOWHERE = createLookUp({ folder: null, variables: {} });

/**
 * A bad spec, an unknown type or a thrown error is an unhealthy check, never a crashed engine. Throws only Stopped. What
 * is secret is looked up here, for this run, and masked in all that the run says.
 */
export async function attempt(check: Given, terms: Terms): Promise<Outcome> {
  if (isSuite(check))
    return runSuite(check, terms.timeoutMs, (entry, timeoutMs) => attempt(entry, { ...terms, timeoutMs }));
  const mask = createMask();
  return mask.apply(await attemptOne(check, terms, mask));
}

async function attemptOne(check: Given, terms: Terms, mask: Mask): Promise<Outcome> {
  const { type, namespace, spec } = check;
  const { resolveConnection, lookUp = NOWHERE, timeoutMs, stop } = terms;
  const runner = runners.get(type);
  if (!runner) return invalid(notRunHere(type) ?? unknownType(type));
  const parsed = runner.spec.safeParse(named(withoutNulls(spec), check.name));
  if (!parsed.success) return invalid(problems(parsed.error));

  const about = aboutOf(check, terms);
  const limit = limited(stop, timeoutMs);
  const { signal } = limit;
  const connection = async (reference: string) => {
    const found = await resolveConnection(reference, { type, namespace });
    concealConnection(found, mask);
    return found;
  };
  const render: RunContext["render"] = async (value, values, options) => {
    const asked = JSON.stringify(value).includes("last_result");
    // Before the first result there is one with nothing in it: templates ask for its fields at once.
    const before = asked ? { lastResult: (await about.lastResult()) ?? { results: {} } } : {};
    const seen = { values: { canary: about.canary, check: about.check, ...values }, ...before };
    return renderStrings(value, seen, options);
  };
  const annotations = check.annotations ?? {};
  const context = { signal, timeoutMs, namespace, annotations, render, connection, conceal: mask.conceal };
  let started = performance.now();
  try {
    const ready = await untilAborted(resolveReferences(parsed.data, lookUp, mask), signal);
    started = performance.now();
    const outcome = await untilAborted(runner.run(ready, context), signal);
    const ms = performance.now() - started;
    const judged = await untilAborted(judge(outcome, parsed.data as Expressions, about, ms), signal);
    const { relationships } = parsed.data as { relationships?: Relationships };
    const { environment } = outcome;
    const told = await untilAborted(withRelated(judged, relationships, { environment, about, ms }), signal);
    return { ...told, ms: judged.ms ?? Math.round(ms) }; // the expressions' time is not the check's
  } catch (error) {
    if (stop.aborted) throw stop.reason;
    if (limit.isLate()) return unhealthy(`timed out after ${timeoutMs / 1000} s`);
    if (error instanceof Unresolved || error instanceof TemplateError) return invalid(error.message);
    return unhealthy(reasonOf(error));
  } finally {
    limit.end();
  }
}

function unknownType(type: string): string {
  const meant = nearestCheckType(type);
  return `unknown check type ${type}${meant ? `, did you mean ${meant}?` : ""}`;
}

/** What a check's expressions see of where they are. */
export function aboutOf(check: Given, { lastResult }: Pick<Terms, "lastResult">): About {
  const { id = "", name = "", description, labels = {}, canaryId = "", canaryName = "", namespace } = check;
  const spec = check.spec as Record<string, unknown>;
  const endpoint = spec["url"] ?? spec["endpoint"] ?? spec["connection"] ?? spec["path"] ?? spec["query"];
  return {
    canary: { id: canaryId, name: canaryName, namespace, labels },
    check: {
      id,
      name: name || String(spec["name"] ?? ""),
      description: description ?? "",
      labels,
      endpoint: typeof endpoint === "string" ? endpoint : "",
    },
    lastResult: async () => (lastResult && id !== "" ? lastResult(id) : null),
  };
}

/** A runner that does not heed its signal must not hold its place. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave: (() => void) | undefined;
  const aborted = new Promise<never>((_, fail) => {
    leave = () => fail(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (leave) signal.removeEventListener("abort", leave);
    work.catch(() => undefined);
  }
}

/** An entry without a name has that of its row, which was made for it. */
function named(spec: unknown, name: string | undefined): unknown {
  const isNameless = typeof spec === "object" && spec !== null && !("name" in spec);
  return isNameless && name ? { ...spec, name } : spec;
}

/** `icon:` with nothing behind it, as YAML has it, is an absent field. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== null)
      .map(([name, part]) => [name, withoutNulls(part)]),
  );
}
