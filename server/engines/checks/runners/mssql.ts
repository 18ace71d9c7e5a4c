import type { Socket } from "node:net";
import { MssqlSpec } from "#app/contract/specs/checks/mssql.ts";
import { mssqlOptions } from "./mssql-address.ts";
import { sqlRunner } from "./sql.ts";

/** A query of Microsoft SQL Server. */
export const mssql = sqlRunner(MssqlSpec, {
  async connect(target, timeoutMs) {
    const config = mssqlOptions(target);
    if (typeof config === "string") return config;
    const { Connection, Request } = (await import("tedious")).default;
    const client = new Connection({
      ...config,
      options: {
        ...config.options,
        connectTimeout: timeoutMs,
        requestTimeout: timeoutMs,
        cancelTimeout: 500,
        useUTC: true,
        maxRetriesOnTransientErrors: 0,
      },
    });
    client.on("error", () => undefined);
    if (config.options?.encrypt) insistOnTls(client);
    const stream = () => (client as unknown as { socket?: Socket }).socket;
    return {
      open: () =>
        new Promise((done, fail) => client.connect((error) => (error ? fail(causeOf(error)) : done()))),
      stream,
      async close() {
        client.close();
      },
      destroy() {
        client.close();
        stream()?.destroy();
      },
      read: (sql, row) =>
        new Promise((done, fail) => {
          const request = new Request(sql, (error) => (error ? fail(error) : done()));
          request.on("row", (columns: Column[]) => {
            row(
              Object.fromEntries(
                columns.map(({ metadata, value }) => [metadata.colName, typed(metadata, value)]),
              ),
            );
          });
          client.once("end", () => fail(new Error("the server hung up")));
          client.execSqlBatch(request);
        }),
    };
  },
});

interface Negotiator {
  performTlsNegotiation(offer: { encryptionString: string }, signal: AbortSignal): Promise<void>;
}

/** The driver goes on in the open when the server says that it cannot encrypt, and so would the password. */
function insistOnTls(client: object): void {
  const negotiator = client as Negotiator;
  const negotiate = negotiator.performTlsNegotiation.bind(client);
  negotiator.performTlsNegotiation = async (offer, signal) => {
    if (!["ON", "REQ"].includes(offer.encryptionString))
      throw new Error("the server does not encrypt: encrypt=disable sends the password in the open");
    await negotiate(offer, signal);
  };
}

/** What was behind "could not connect". */
function causeOf(error: Error): Error {
  const { cause } = error;
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0];
  return cause instanceof Error ? causeOf(cause) : error;
}

interface Column {
  metadata: { colName: string; type: { name: string } };
  value: unknown;
}

/** Big whole numbers come as texts; to expressions they are numbers. */
const typed = ({ type }: Column["metadata"], value: unknown): unknown =>
  type.name === "BigInt" && typeof value === "string" ? Number(value) : value;
