/**
 * An Ory Kratos elsewhere in the place of our own flows (facts/backend-http.md §2, mode kratos): sessions and passwords
 * are its, people, roles and access tokens stay here.
 */
import { createHmac, randomBytes } from "node:crypto";
import { Hono } from "hono";
import type pg from "pg";
import type { Observe } from "#server/observe/observation.ts";
import type { IdentityService } from "../index.ts";
import type { SignedIn } from "../store/sessions.ts";
import { createKratosClient, type Credential, type KratosClient, type KratosPerson } from "./client.ts";
import { createKratosPeople } from "./people.ts";
import { passOn } from "./pass-on.ts";

export { KratosAway } from "./client.ts";

interface Needs {
  /** Root of Kratos' public API. */
  url: string;
  /** Who becomes administrator at the first sign-in, once Kratos has verified the address. */
  admin: string | null;
  pool: pg.Pool;
  observe: Observe;
  now?: () => Date;
}

/**
 * One page asks several times at once and Kratos is a network away: its word on a session holds this long, ms. Roles and
 * state are read here anew each time.
 */
const SESSION_MS = 1_000;
/** Its word on a password (facts/backend-http.md §2), ms. */
const PASSWORD_MS = { success: 30 * 60_000, failure: 60_000 };
/** Entries at most; failures come from strangers. */
const REMEMBER_MAX = 10_000;

/** The service with Kratos in front: what does not concern signing in stays as it is. */
export function withKratos(own: IdentityService, needs: Needs): IdentityService {
  const { url, admin, pool, observe, now = () => new Date() } = needs;
  const people = createKratosPeople(pool, { admin, now });
  let client: Promise<KratosClient> | undefined;
  const kratos = () => (client ??= createKratosClient(url));
  const word = createMemory(now);

  async function meet(person: KratosPerson | null): Promise<SignedIn | null> {
    if (!person) return null;
    const met = await people.meet(person);
    if (!("unwelcome" in met)) return met;
    observe({ kind: "identity.refused", reason: `Kratos: ${met.unwelcome}` });
    return null;
  }

  return {
    ...own,
    app: new Hono().all("*", (c) => passOn(c, url)),
    async sessionOf(token, cookies) {
      const credential: Credential = cookies === undefined ? { token } : { cookies };
      const person = await word(
        JSON.stringify(credential),
        () => SESSION_MS,
        async () => (await kratos()).whoami(credential),
      );
      return meet(person);
    },
    async passwordLogin(email, password) {
      const person = await word(
        JSON.stringify([email.toLowerCase(), password]),
        (found) => (found ? PASSWORD_MS.success : PASSWORD_MS.failure),
        async () => (await kratos()).passwordLogin(email, password),
      );
      const met = await meet(person);
      if (met) return { person: met };
      return { refused: person ? "inactive" : "credentials" };
    },
    setupLink: async () => null, // the first administrator is named by the configuration
  };
}

/**
 * Kratos' word on a credential for a while; whoever asks meanwhile waits for the same answer. Keyed under a secret of this
 * process, so that no credential lies in memory.
 */
function createMemory(now: () => Date) {
  const secret = randomBytes(32);
  const remembered = new Map<string, { until: number; said: Promise<KratosPerson | null> }>();
  return async (
    credential: string,
    lasts: (said: KratosPerson | null) => number,
    ask: () => Promise<KratosPerson | null>,
  ): Promise<KratosPerson | null> => {
    const key = createHmac("sha256", secret).update(credential).digest("base64");
    const known = remembered.get(key);
    if (known && known.until > now().getTime()) return known.said;
    if (remembered.size >= REMEMBER_MAX) remembered.clear();
    const entry = { until: Infinity, said: ask() };
    remembered.set(key, entry);
    try {
      const said = await entry.said;
      entry.until = now().getTime() + lasts(said);
      return said;
    } catch (error) {
      remembered.delete(key);
      throw error;
    }
  };
}
