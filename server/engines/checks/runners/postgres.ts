import pg from "pg";
import { PostgresSpec } from "#app/contract/specs/checks/postgres.ts";
import { healthy, invalid, reasonOf, runner, unhealthy } from "../runner.ts";
import { connectionConfig } from "./postgres-address.ts";

const PING = "SELECT 1";
/** Past this many rows the query is stopped: a check must not be an export. Ours to choose. */
const ROW_LIMIT = 100_000;

/** Passes when the query runs and answers with at least `results` rows. */
export const postgres = runner({
  spec: PostgresSpec,
  async run(spec, context) {
    const stored = spec.connection ? await context.connection(spec.connection) : undefined;
    const username = spec.username ?? stored?.username;
    const password = spec.password ?? stored?.password;
    const config = connectionConfig(spec.url ?? stored?.url ?? "", username, password);
    if (typeof config === "string") return invalid(config);
    const query = spec.query?.trim() || PING;
    if (stored?.pingOnly && query.toUpperCase() !== PING)
      return invalid(`query: over ${spec.connection} only ${PING} is allowed`);

    const client = new pg.Client({
      ...config,
      application_name: "pilothouse check",
      connectionTimeoutMillis: context.timeoutMs,
      statement_timeout: context.timeoutMs, // the server ends the query too, not only we the connection
    });
    client.on("error", () => undefined);
    const stop = () => void destroy(client);
    context.signal.addEventListener("abort", stop, { once: true });
    try {
      await client.connect();
      const count = await countRows(client, query);
      if (count > ROW_LIMIT) return unhealthy(`Query returned more than ${ROW_LIMIT} rows`);
      if (spec.results !== undefined && count < spec.results)
        return unhealthy(`Query returned ${count} rows, expected ${spec.results}`, { count });
      return healthy({ count });
    } catch (error) {
      context.signal.throwIfAborted();
      return unhealthy(reasonOf(error));
    } finally {
      context.signal.removeEventListener("abort", stop);
      await hangUp(client);
    }
  },
});

/** Closes politely, and for sure: a server that does not answer is left after a moment. */
async function hangUp(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => destroy(client), 500);
  await client.end().catch(() => undefined);
  clearTimeout(timer);
}

function destroy(client: pg.Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/** Counts rows as they come, so that no result is held in memory. */
function countRows(client: pg.Client, text: string): Promise<number> {
  return new Promise((done, fail) => {
    let count = 0;
    const query = new pg.Query({ text });
    query.on("row", () => {
      count += 1;
      if (count > ROW_LIMIT) {
        done(count);
        destroy(client);
      }
    });
    query.on("end", () => done(count));
    query.on("error", fail);
    client.query(query);
  });
}
