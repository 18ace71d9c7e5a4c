import type { Socket } from "node:net";
import pg from "pg";
import { PostgresSpec } from "#app/contract/specs/checks/postgres.ts";
import { connectionConfig } from "./postgres-address.ts";
import { sqlRunner } from "./sql.ts";

/** Whole numbers and numerics are numbers to expressions, not texts. */
const NUMBERS = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text") =>
    NUMBERS.has(oid) ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig["getTypeParser"],
};

/** A query of PostgreSQL. */
export const postgres = sqlRunner(PostgresSpec, {
  async connect({ url, username, password }, timeoutMs) {
    const config = connectionConfig(url, username, password);
    if (typeof config === "string") return config;
    const client = new pg.Client({
      ...config,
      application_name: "pilothouse check",
      connectionTimeoutMillis: timeoutMs,
      statement_timeout: timeoutMs, // the server ends the query too, not only we the connection
    });
    client.on("error", () => undefined);
    const stream = () => (client as unknown as { connection: { stream: Socket } }).connection.stream;
    return {
      open: async () => void (await client.connect().catch(inPlainWords)),
      stream,
      close: () => client.end(),
      destroy: () => void stream().destroy(),
      read: (text, row) =>
        new Promise((done, fail) => {
          const query = new pg.Query({ text, types: TYPES });
          query.on("row", row);
          query.on("end", () => done());
          query.on("error", fail);
          client.query(query);
        }),
    };
  },
});

/** The driver's words for a blank password are about its own insides. */
function inPlainWords(error: unknown): never {
  if (error instanceof Error && /client password must be/.test(error.message))
    throw new Error("the server asks for a password and none is given", { cause: error });
  throw error;
}
