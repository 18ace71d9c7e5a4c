/** One run of one check as the engine does it, without storage; and connections that are stored for the test. */
import { attempt } from "#server/engines/checks/attempt.ts";
import type { Connection, Outcome } from "#server/engines/checks/runner.ts";

export const connections = new Map<string, Connection>();
const never = new AbortController().signal;

export const run = (
  type: string,
  spec: object,
  { timeoutMs = 10_000, stop = never } = {},
): Promise<Outcome> =>
  attempt(
    { type, namespace: "default", spec: { name: "check", ...spec } },
    {
      timeoutMs,
      stop,
      async resolveConnection(reference) {
        const found = connections.get(reference);
        if (!found) throw new Error(`connection ${reference} was not found`);
        return found;
      },
    },
  );
