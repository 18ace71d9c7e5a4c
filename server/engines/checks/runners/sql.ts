import type { Duplex } from "node:stream";
import type { z } from "zod";
import type { SqlSpec } from "#app/contract/specs/checks/sql.ts";
import { asksOf } from "../judge.ts";
import {
  healthy,
  invalid,
  runner,
  unhealthy,
  type Outcome,
  type RunContext,
  type Runner,
} from "../runner.ts";
import { closing, limitBytes, type Client } from "./client.ts";

const PING = "SELECT 1";
/** Past this many rows the query is stopped: a check must not be an export. Ours to choose. */
const ROW_LIMIT = 100_000;
/** Rows that expressions see; the count is of all. Ours to choose. */
const ROWS_KEPT = 1000;
/** Past this many bytes from the server the query is stopped, also within one row. Ours to choose. */
const BYTE_LIMIT = 32 * 1024 * 1024;
/** Where to ask, with what is filled in taken from the spec or the stored connection. */
export interface SqlTarget {
  url: string;
  username: string | undefined;
  password: string | undefined;
}

/** One connection to a database, for one query. */
export interface SqlSession extends Client {
  /** Resolves once it is connected and signed in. */
  open(): Promise<void>;
  /** What the server's bytes come through, once it is open. */
  stream(): Duplex | undefined;
  /** Hands over every row as it comes, by column; resolves when there are no more. */
  read(query: string, row: (row: Record<string, unknown>) => void): Promise<void>;
}

interface Dialect {
  /** A session that is not open yet, or the sentence that says why the address is none. Loads the driver. */
  connect(target: SqlTarget, timeoutMs: number): Promise<SqlSession | string>;
}

/** Passes when the query runs and answers with at least `results` rows (facts: engines §4). The same for every database. */
export const sqlRunner = <S extends z.ZodType<SqlSpec>>(spec: S, { connect }: Dialect): Runner =>
  runner({
    spec: spec as z.ZodType<SqlSpec>,
    async run(spec, context) {
      const stored = spec.connection ? await context.connection(spec.connection) : undefined;
      const given = { query: spec.query?.trim() || PING };
      const templated = context.annotations["template"] !== "false";
      const { query } = templated ? await context.render(given, {}, { dollar: false }) : given;
      if (stored?.pingOnly && query.toUpperCase() !== PING)
        return invalid(`query: over ${spec.connection} only ${PING} is allowed`);
      const target = {
        url: spec.url ?? stored?.url ?? "",
        username: spec.username ?? stored?.username,
        password: spec.password ?? stored?.password,
      };
      const session = await connect(target, context.timeoutMs);
      return typeof session === "string" ? invalid(session) : ask(session, query, spec, context);
    },
  });

async function ask(session: SqlSession, query: string, spec: SqlSpec, context: RunContext): Promise<Outcome> {
  return closing(session, context.signal, async () => {
    await session.open();
    const { count, rows } = await readRows(session, query);
    const expressions = asksOf(spec);
    return {
      ...judge(count, spec.results),
      ...(expressions ? { environment: { values: { results: { count, rows } } } } : {}),
    };
  });
}

function judge(count: number, wanted: number | undefined): Outcome {
  if (wanted !== undefined && count < wanted)
    return unhealthy(`Query returned ${count} rows, expected ${wanted}`, { count });
  return healthy({ count });
}

/** Counts rows as they come and keeps the first, so that no result is held in memory. */
async function readRows(session: SqlSession, query: string): Promise<{ count: number; rows: unknown[] }> {
  let count = 0;
  let tooMuch: string | null = null;
  const rows: unknown[] = [];
  const stop = (words: string) => {
    tooMuch ??= words;
    session.destroy();
  };
  const unlimit = limitBytes(session.stream(), BYTE_LIMIT, () =>
    stop(`Query returned more than ${BYTE_LIMIT / 1024 / 1024} MiB`),
  );
  try {
    await session.read(query, (row) => {
      count += 1;
      if (rows.length < ROWS_KEPT) rows.push(row);
      if (count > ROW_LIMIT) stop(`Query returned more than ${ROW_LIMIT} rows`);
    });
  } catch (error) {
    throw tooMuch === null ? error : new Error(tooMuch);
  } finally {
    unlimit();
  }
  if (tooMuch !== null) throw new Error(tooMuch);
  return { count, rows };
}
