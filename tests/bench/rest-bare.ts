/**
 * What Node and `pg` can do without any layer: an HTTP server that runs one hand-written prepared statement for each
 * target it knows and sends its text. No credentials, no roles, no parsing: the ceiling, not a product.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { SHAPES } from "./rest-data.ts";

export interface BareTask {
  databaseUrl: string;
  poolSize: number;
}

process.once("message", ({ databaseUrl, poolSize }: BareTask) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize, options: "-c jit=off" });
  const statements = new Map(
    SHAPES.flatMap(({ name, method, prefer, targets, bare }) =>
      targets.map((target, index) => [
        `${method} ${target} ${prefer ?? ""}`,
        { name, text: bare.sql, values: bare.values[index]!, rowMode: "array" as const },
      ]),
    ),
  );
  const server = createServer((request, response) => {
    request.resume();
    const statement = statements.get(
      `${request.method} ${request.url} ${String(request.headers.prefer ?? "")}`,
    );
    if (!statement) return response.writeHead(404).end();
    pool.query<[string] | [string, string]>(statement).then(
      ({ rows: [row = ["[]"]] }) =>
        response
          .writeHead(200, {
            "Content-Type": "application/json; charset=utf-8",
            "Content-Length": Buffer.byteLength(row[0]),
            ...(row[1] === undefined ? {} : { "Content-Range": `0-49/${row[1]}` }),
          })
          .end(row[0]),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
process.on("disconnect", () => process.exit(0));
