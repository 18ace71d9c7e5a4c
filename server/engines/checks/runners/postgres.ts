import pg from "pg";
import { PostgresSpec } from "#app/contract/specs/checks/postgres.ts";
import { healthy, invalid, reasonOf, runner, templateError, unhealthy, type Outcome } from "../runner.ts";
import { connectionConfig } from "./postgres-address.ts";

const PING = "SELECT 1";
/** Past this many rows the query is stopped: a check must not be an export. Ours to choose. */
const ROW_LIMIT = 100_000;

/** Rows that expressions see; the count is of all. Ours to choose. */
const ROWS_KEPT = 1000;

/** Whole numbers and numerics are numbers to expressions, not texts. */
const NUMBERS = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text") =>
    NUMBERS.has(oid) ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig["getTypeParser"],
};

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
    const template = templateError({ query });
    if (template) return invalid(template);
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
      const { count, rows } = await readRows(client, query);
      if (count > ROW_LIMIT) return unhealthy(`Query returned more than ${ROW_LIMIT} rows`);
      const expressions = spec.test ?? spec.display ?? spec.transform;
      return {
        ...judge(count, spec.results),
        ...(expressions ? { environment: { values: { results: { count, rows } } } } : {}),
      };
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

function judge(count: number, wanted: number | undefined): Outcome {
  if (wanted !== undefined && count < wanted)
    return unhealthy(`Query returned ${count} rows, expected ${wanted}`, { count });
  return healthy({ count });
}

/** Counts rows as they come and keeps the first, so that no result is held in memory. */
function readRows(client: pg.Client, text: string): Promise<{ count: number; rows: unknown[] }> {
  return new Promise((done, fail) => {
    let count = 0;
    const rows: unknown[] = [];
    const query = new pg.Query({ text, types: TYPES });
    query.on("row", (row) => {
      count += 1;
      if (rows.length < ROWS_KEPT) rows.push(row);
      if (count > ROW_LIMIT) {
        done({ count, rows });
        destroy(client);
      }
    });
    query.on("end", () => done({ count, rows }));
    query.on("error", fail);
    client.query(query);
  });
}
