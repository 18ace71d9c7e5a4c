/** What the tests of runners share: one run through everything but storage, and servers that end with the file. */
import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import { afterAll } from "vitest";
import { attempt } from "#server/engines/checks/attempt.ts";
import type { Connection, Outcome } from "#server/engines/checks/runner.ts";
import { createLookUp } from "#server/engines/references.ts";

interface Terms {
  timeoutMs?: number;
  stop?: AbortSignal;
}

/** The tests of one file: stored connections by their references, and secrets as `PH_SECRET_…`. */
export function aBench() {
  const servers: Server[] = [];
  const connections = new Map<string, Connection>();
  const variables: Record<string, string> = {};
  const never = new AbortController().signal;
  afterAll(() => {
    for (const server of servers) {
      if ("closeAllConnections" in server) (server as { closeAllConnections(): void }).closeAllConnections();
      server.close();
    }
  });
  return {
    connections,
    variables,
    /** The port on 127.0.0.1 on which the server listens now. */
    async listen(server: Server): Promise<number> {
      servers.push(server);
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      return (server.address() as AddressInfo).port;
    },
    run: (type: string, spec: object, { timeoutMs = 5000, stop = never }: Terms = {}): Promise<Outcome> =>
      attempt(
        { type, namespace: "default", spec: { name: "check", ...spec } },
        {
          timeoutMs,
          stop,
          lookUp: createLookUp({ folder: null, variables }),
          async resolveConnection(reference) {
            const found = connections.get(reference);
            if (!found) throw new Error(`connection ${reference} was not found`);
            return found;
          },
        },
      ),
  };
}
