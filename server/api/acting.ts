/** Writes that need the owner's rights, done for a caller. */
import pg from "pg";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { inTransaction } from "#server/db/pool.ts";
import { ApiError } from "./errors.ts";
import { claimsOf, type Principal } from "./principal.ts";

const UNIQUE_VIOLATION = "23505";

/**
 * One transaction in which row triggers know whose it is. Whether the caller may must have been decided before. What a
 * trigger refuses for a caller to read (`PT` and a status) is thrown as an ApiError with its words, as is an e-mail
 * address that is taken.
 */
export async function acting<T>(
  owner: pg.Pool,
  principal: Principal,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  try {
    return await inTransaction(owner, async (client) => {
      const claims = JSON.stringify(claimsOf(principal));
      await client.query("select set_config('request.jwt.claims', $1, true)", [claims]);
      return work(client);
    });
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    const status = Number(/^PT([45]\d\d)$/.exec(error.code ?? "")?.[1] ?? 0);
    if (status > 0) throw new ApiError(status as ContentfulStatusCode, error.message);
    if (error.code === UNIQUE_VIOLATION && /email/.test(error.constraint ?? ""))
      throw new ApiError(409, EMAIL_TAKEN);
    throw error;
  }
}

/** Names the field, as every refusal of a form does. */
export const EMAIL_TAKEN = "email: there is a user with this address already.";
