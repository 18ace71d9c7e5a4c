import type { Socket } from "node:net";
import { MysqlSpec } from "#app/contract/specs/checks/mysql.ts";
import { mysqlOptions } from "./mysql-address.ts";
import { sqlRunner } from "./sql.ts";

/** How each of the two is told to end what takes longer, in milliseconds or seconds. */
function limitOf(client: object, timeoutMs: number): string {
  const { serverVersion = "" } =
    (client as { _handshakePacket?: { serverVersion?: string } })._handshakePacket ?? {};
  return serverVersion.includes("MariaDB")
    ? `set session max_statement_time = ${timeoutMs / 1000}`
    : `set session max_execution_time = ${timeoutMs}`;
}

/** A query of MySQL or MariaDB. Numbers are numbers, JSON is parsed, times are in UTC. */
export const mysql = sqlRunner(MysqlSpec, {
  async connect(target, timeoutMs) {
    const options = mysqlOptions(target);
    if (typeof options === "string") return options;
    const { createConnection } = (await import("mysql2")).default;
    const client = createConnection({
      ...options,
      connectTimeout: timeoutMs,
      decimalNumbers: true,
      timezone: "Z",
      flags: ["-LOCAL_FILES"], // no server may ask for our files
    });
    client.on("error", () => undefined);
    const stream = () => (client as unknown as { stream?: Socket }).stream;
    return {
      open: () =>
        new Promise((done, fail) => {
          client.connect((error) => {
            if (error) return fail(error);
            // The server ends the query too, not only we the connection. One that cannot is asked all the same.
            client.query(limitOf(client, timeoutMs), () => done());
          });
        }),
      stream,
      close: () => new Promise<void>((done) => client.end(() => done())),
      destroy: () => void (stream()?.destroy(), client.destroy()),
      read: (sql, row) =>
        new Promise((done, fail) => {
          stream()?.once("close", () => fail(new Error("the server hung up")));
          client
            .query({ sql, timeout: timeoutMs })
            .on("result", (found: object) => {
              // A statement that answers with no rows (an update) answers with a header instead.
              if (found.constructor.name !== "ResultSetHeader") row(found as Record<string, unknown>);
            })
            .on("error", fail)
            .on("end", () => done());
        }),
    };
  },
});
