/** Reading and writing as the caller: PostgreSQL itself refuses what the role may not do. */
import type pg from "pg";
import { claimsOf, type Principal } from "./principal.ts";
import { runPipeline, type Statement } from "./rest/pipeline.ts";
import { forStrangers } from "./strangers.ts";

export type AsCaller = <T>(principal: Principal, work: (client: pg.PoolClient) => Promise<T>) => Promise<T>;

/** Runs work in one transaction of the API's pool under the caller's role and claims. */
export function createAsCaller(pool: pg.Pool): AsCaller {
  return async (principal, work) => {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await runPipeline(client, opening(principal));
      const result = await work(principal.via === "stranger" ? forStrangers(client) : client);
      await client.query("commit");
      return result;
    } catch (error) {
      await client.query("rollback").catch((failure: Error) => (broken = failure));
      throw error;
    } finally {
      client.release(broken);
    }
  };
}

/** Begins the transaction and says whose it is, in one round trip. */
const opening = (principal: Principal): Statement[] => [
  { text: "begin", values: [], name: "begin" },
  {
    name: "as-caller",
    text: "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)",
    values: [principal.dbRole, JSON.stringify(claimsOf(principal))],
  },
];
