/** Asking a running product as everybody of the matrix, many at a time. */
import { createIdentity } from "#server/identity/index.ts";
import { createPeople, PEOPLE } from "#tests/support/people.ts";
import type { TestDatabase } from "#tests/support/postgres.ts";
import { signIn, type Product } from "#tests/support/product.ts";
import { CALLERS, type Caller } from "./spec.ts";

/** Requests at the same time. */
const AT_ONCE = 12;

export interface Asked {
  as: Caller;
  method: string;
  /** Below the product's origin. */
  path: string;
  body?: string | URLSearchParams;
  headers?: Record<string, string>;
}
export interface Answered {
  status: number;
  location: string | null;
  text: string;
}
export type Ask = (asked: Asked) => Promise<Answered>;

/** Makes the people and the agent, signs in whoever can, and returns how to ask as any of them. */
export async function everybody(product: Product, { pool }: TestDatabase): Promise<Ask> {
  await createPeople(pool);
  const credentials = new Map<Caller, Record<string, string>>([["signed out", {}]]);
  for (const caller of CALLERS)
    if (caller !== "agent" && caller !== "signed out")
      credentials.set(caller, { cookie: await signIn(product.url, PEOPLE[caller]) });
  credentials.set("agent", { authorization: `Bearer ${await agentToken(pool)}` });
  return async ({ as, method, path, body, headers = {} }) => {
    const response = await fetch(product.url + path, {
      method,
      redirect: "manual",
      headers: { origin: product.url, ...credentials.get(as), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    return {
      status: response.status,
      location: response.headers.get("location"),
      text: await response.text(),
    };
  };
}

/** A token whose person belongs to an agent, and was given every role on top: none of them counts. */
async function agentToken(pool: TestDatabase["pool"]): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    "insert into people (name, type) values ('agent of the matrix', 'agent') returning id",
  );
  const person = rows[0]!.id;
  await pool.query("insert into agents (name, person_id) values ('of the matrix', $1)", [person]);
  await pool.query(
    "insert into internal.role_grants (person_id, role) values ($1, 'admin'), ($1, 'editor')",
    [person],
  );
  const identity = createIdentity({ pool, publicUrl: null, secureCookies: false, observe: () => undefined });
  return identity.createAccessToken(person, "of the matrix", null);
}

/** Does the work on everything, several at a time, and returns what each said was wrong. */
export async function pooled<T>(
  all: readonly T[],
  work: (one: T) => Promise<string | null>,
): Promise<string[]> {
  const wrong: string[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < all.length; at = next++) {
      const said = await work(all[at]!);
      if (said !== null) wrong.push(said);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return wrong.sort();
}
