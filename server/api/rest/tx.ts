/**
 * One transaction per request (facts of PostgREST §16). Usually the settings, the statement and the commit are one
 * round trip: statements sent together without BEGIN are one transaction. A transaction whose outcome depends on the
 * result, or that must be rolled back, is begun and ended by statements of its own.
 */
import pg, { type Pool, type PoolClient } from "pg";
import { fromFailure, isPgError } from "./errors.ts";
import { createStatementNames, type Rows, runPipeline, type Statement } from "./pipeline.ts";

export interface Transaction {
  /** Settings in order, local to the transaction; the role is one of them. */
  settings: [name: string, value: string][];
  isolation: string | null;
  /** Further statements after the settings; the last one's rows are looked at by `check`. */
  statements: { text: string; values: (string | null)[] }[];
  end: "commit" | "rollback";
  /** Throws to have everything rolled back. */
  check?: (results: Rows[]) => void;
  signal: () => AbortSignal | undefined;
  authenticated: boolean;
}

/** Milliseconds before a statement is worth cancelling when its caller has left. */
const WORTH_CANCELLING = 250;
const ISOLATIONS = new Set(["read committed", "repeatable read", "serializable"]);

export type RunTransaction = (transaction: Transaction) => Promise<Rows[]>;

/** Resolves with the rows of each of `statements`; rejects with a RestError. */
export function createTransactions(pool: Pool): RunTransaction {
  const nameOf = createStatementNames();
  const preludes = new Map<string, string>();

  function prelude(settings: [string, string][]): Statement {
    const key = settings.map(([name]) => name).join();
    let text = preludes.get(key);
    if (text === undefined) {
      // The names are the configuration's and the catalogue's, checked where they were read.
      const calls = settings.map(([name], at) => `set_config('${name}', $${at + 1}, true)`);
      text = `select ${calls.join(", ")}`;
      if (preludes.size < 100) preludes.set(key, text);
    }
    return { text, values: settings.map(([, value]) => value), name: nameOf(text) };
  }

  return async (transaction) => {
    const { isolation, end, check, authenticated } = transaction;
    const first: Statement[] = [prelude(transaction.settings)];
    for (const { text, values } of transaction.statements) first.push({ text, values, name: nameOf(text) });
    const isOwn = check !== undefined || end === "rollback" || isolation !== null;
    if (isOwn) first.unshift(plain(beginText(isolation)));
    let client: PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      throw fromFailure(error, authenticated);
    }
    const watch = watchSignal(pool, client, transaction.signal);
    let broken: Error | boolean = true;
    try {
      const results = await runPipeline(client, first);
      const own = results.slice(isOwn ? 2 : 1);
      if (isOwn) {
        check?.(own);
        await runPipeline(client, ending(end));
      }
      broken = false;
      return own;
    } catch (error) {
      const lost = isPgError(error) && (error as { severity?: string }).severity !== "ERROR";
      const isAnswer = !(error instanceof Error && !isPgError(error) && !("status" in error));
      broken = lost || !isAnswer;
      if (!broken && isOwn) broken = await rollback(client);
      throw fromFailure(error, authenticated);
    } finally {
      await watch.stop();
      client.release(broken);
    }
  };
}

function plain(text: string): Statement {
  return { text, values: [], name: null };
}

function beginText(isolation: string | null): string {
  return isolation !== null && ISOLATIONS.has(isolation) ? `BEGIN ISOLATION LEVEL ${isolation}` : "BEGIN";
}

/** Deferred constraints speak up before a rollback, as they would before a commit. */
function ending(end: "commit" | "rollback"): Statement[] {
  return end === "commit" ? [plain("COMMIT")] : [plain("SET CONSTRAINTS ALL IMMEDIATE"), plain("ROLLBACK")];
}

/** True when it failed: the connection must not be used again. */
async function rollback(client: PoolClient): Promise<boolean> {
  try {
    await client.query("ROLLBACK");
    return false;
  } catch {
    return true;
  }
}

/** Cancels a long statement whose caller has left. `stop` resolves when the connection may serve somebody else. */
function watchSignal(
  pool: Pool,
  client: PoolClient,
  signalOf: () => AbortSignal | undefined,
): { stop(): Promise<void> } {
  let signal: AbortSignal | undefined;
  let cancelling: Promise<void> | undefined;
  const cancel = () => (cancelling ??= cancelStatement(pool, client));
  const timer = setTimeout(() => {
    signal = signalOf();
    if (signal?.aborted) void cancel();
    else signal?.addEventListener("abort", cancel, { once: true });
  }, WORTH_CANCELLING);
  return {
    async stop() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
      await cancelling;
    },
  };
}

/** On a connection of its own: the pool may have none to spare, which is when cancelling matters most. */
async function cancelStatement(pool: Pool, client: PoolClient): Promise<void> {
  const { processID } = client as PoolClient & { processID?: number };
  const other = new pg.Client({ ...pool.options });
  other.on("error", () => undefined);
  try {
    await other.connect();
    await other.query("select pg_cancel_backend($1)", [processID]);
  } catch {
    // The statement's own time limit ends it.
  } finally {
    await other.end().catch(() => undefined);
  }
}
