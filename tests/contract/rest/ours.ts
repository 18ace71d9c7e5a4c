/** Our /db layer on a bare node server, given the raw request target; nothing of the product around it. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import pg from "pg";
import { createRest } from "#server/api/rest/index.ts";
import type { PostgrestOptions } from "#tests/support/postgrest.ts";
import type { Server } from "./harness.ts";

/** The same configuration as the yardstick's; resolves when the schema is read. */
export async function startOurs(options: PostgrestOptions): Promise<Server> {
  const pool = new pg.Pool({ connectionString: options.uri, max: options.poolSize ?? 4 });
  pool.on("error", () => undefined);
  const { extraSearchPath, anonymousRole, jwtSecret, maxRows, txEnd, preRequest, aggregates, settings } =
    options;
  const rest = createRest({
    pool,
    schema: options.schemas,
    ...defined({ extraSearchPath, anonymousRole, jwtSecret, txEnd, preRequest, aggregates, settings }),
    statementTimeoutMs: 0, // none but the role's own, as on the other side
    maxRows: maxRows ?? Number.MAX_SAFE_INTEGER,
  });
  await rest.reload();
  const listener = getRequestListener(
    (request, env) =>
      rest.handle(request, { rawTarget: (env as { incoming: IncomingMessage }).incoming.url ?? "/" }),
    { overrideGlobalObjects: false },
  );
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.close();
      server.closeAllConnections();
      await rest.close();
      await pool.end();
    },
  };
}

/** Without the keys that have no value: an option that is there counts. */
function defined<T extends object>(values: T): { [Key in keyof T]?: NonNullable<T[Key]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: NonNullable<T[Key]>;
  };
}
