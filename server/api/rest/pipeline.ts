/**
 * Several statements in one round trip: all messages are sent at once with a single Sync at the end, which also makes
 * them one transaction when none was begun. An error skips the rest. `pg` itself waits for each answer.
 */
import { createHash } from "node:crypto";
import type { Connection, PoolClient, Submittable } from "pg";

export interface Statement {
  text: string;
  values: (string | null)[];
  /** Name of the prepared statement; null to have it parsed each time. */
  name: string | null;
}

/** The rows of each statement, fields as texts. */
export type Rows = (string | null)[][];

/** Names that a connection has prepared, confirmed by an answer. */
const prepared = new WeakMap<PoolClient, Set<string>>();

class Pipeline implements Submittable {
  readonly results: Rows[] = [];
  readonly #statements: Statement[];
  readonly #names: Set<string>;
  #rows: Rows = [];
  #settle: ((error: Error | null) => void) | null;

  constructor(statements: Statement[], names: Set<string>, settle: (error: Error | null) => void) {
    this.#statements = statements;
    this.#names = names;
    this.#settle = settle;
  }

  /** Called by `pg` when the connection is ready. */
  submit(connection: Connection): void {
    connection.stream.cork();
    for (const { text, values, name } of this.#statements) {
      const statement = name ?? "";
      if (name === null || !this.#names.has(name)) {
        // An earlier attempt may have prepared it and failed later: closing an unknown name is no error.
        if (name !== null) connection.close({ type: "S", name }, true);
        connection.parse({ text, name: statement, types: [] }, true);
      }
      connection.bind({ statement, values }, true);
      connection.execute({}, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription(): void {
    // Nothing asks for descriptions: every field is text.
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#rows.push(fields);
  }

  handleCommandComplete(): void {
    this.results.push(this.#rows);
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  handleReadyForQuery(): void {
    for (const { name } of this.#statements) if (name !== null) this.#names.add(name);
    this.#finish(null);
  }

  handleError(error: Error): void {
    this.#finish(error);
  }

  #finish(error: Error | null): void {
    const settle = this.#settle;
    this.#settle = null;
    settle?.(error);
  }
}

/** Sends the statements together; rejects with the first error of any. */
export function runPipeline(client: PoolClient, statements: Statement[]): Promise<Rows[]> {
  let names = prepared.get(client);
  if (!names) prepared.set(client, (names = new Set()));
  const known = names;
  return new Promise((resolve, reject) => {
    const pipeline: Pipeline = new Pipeline(statements, known, (error) => {
      if (error) reject(error);
      else resolve(pipeline.results);
    });
    client.query(pipeline);
  });
}

const MOST_NAMES = 300;
const MOST_SEEN = 2000;

/** Which texts are worth a prepared statement: those seen twice, the first `most` of them, as `pg` never frees one. */
export function createStatementNames({ prefix = "rest", most = MOST_NAMES } = {}): (
  text: string,
) => string | null {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  return (text) => {
    const name = names.get(text);
    if (name !== undefined) return name;
    if (names.size >= most) return null;
    if (!seen.has(text)) {
      if (seen.size >= MOST_SEEN) seen.clear();
      seen.add(text);
      return null;
    }
    const fresh = `${prefix}_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
    names.set(text, fresh);
    return fresh;
  };
}
