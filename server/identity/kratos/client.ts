/** What the control plane asks of an Ory Kratos elsewhere, through its public API (written for 1.3 and 25.x). */
import type { FrontendApi } from "@ory/client";

/** Longest wait for Kratos, ms; hashing a password is part of it. */
const TIMEOUT_MS = 10_000;

/** Somebody as Kratos knows them. */
export interface KratosPerson {
  id: string;
  /** Lower case; null where the schema has none. */
  email: string | null;
  /** Kratos has shown that mail to the address arrives. */
  isVerified: boolean;
  first: string;
  last: string;
  schemaId: string;
}

/** Kratos does not answer, or answers a fault. */
export class KratosAway extends Error {
  constructor(cause: unknown) {
    super(
      `The identity service cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
}

/** A session of Kratos: the cookies it came in, or a token of its own (`X-Session-Token`). */
export type Credential = { cookies: string } | { token: string };

export interface KratosClient {
  /** Who is signed in; null when nobody is, or not far enough. Throws `KratosAway`. */
  whoami(credential: Credential): Promise<KratosPerson | null>;
  /** Kratos' sign-in for programs: whose e-mail and password these are, null when nobody's. Ends the session it made. Throws `KratosAway`. */
  passwordLogin(email: string, password: string): Promise<KratosPerson | null>;
}

/** The library is loaded by whoever makes a client: nobody else needs it in memory. */
export async function createKratosClient(url: string): Promise<KratosClient> {
  const { Configuration, FrontendApi } = await import("@ory/client");
  const api: FrontendApi = new FrontendApi(
    new Configuration({
      basePath: url,
      baseOptions: {
        timeout: TIMEOUT_MS,
        maxRedirects: 0,
        proxy: false,
        headers: { accept: "application/json" },
        // A refusal is an answer; only a fault of Kratos is an error.
        validateStatus: (status: number) => status < 500,
      },
    }),
  );
  return {
    async whoami(credential) {
      const { status, data } = await answered(() =>
        api.toSession(
          "cookies" in credential ? { cookie: credential.cookies } : { xSessionToken: credential.token },
        ),
      );
      return status === 200 && data.active !== false ? personOf(data.identity) : null;
    },

    async passwordLogin(identifier, password) {
      const begun = await answered(() => api.createNativeLoginFlow());
      if (begun.status !== 200) return null; // this Kratos lets no programs sign in
      const { status, data } = await answered(() =>
        api.updateLoginFlow({
          flow: begun.data.id,
          updateLoginFlowBody: { method: "password", identifier, password },
        }),
      );
      if (status !== 200) return null;
      const { session_token: token } = data;
      if (token)
        await answered(() => api.performNativeLogout({ performNativeLogoutBody: { session_token: token } }));
      return personOf(data.session.identity);
    },
  };
}

async function answered<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new KratosAway(error);
  }
}

/** An identity of the public API; null for what is none. Traits are the installation's own, so each is looked at. */
export function personOf(identity: unknown): KratosPerson | null {
  const { id, state, traits, schema_id, verifiable_addresses } = record(identity);
  if (typeof id !== "string" || !UUID.test(id) || (state !== undefined && state !== "active")) return null;
  const { email, name } = record(traits);
  const { first, last } = record(name);
  const address = text(email).trim().toLowerCase() || null;
  const isVerified =
    address !== null &&
    Array.isArray(verifiable_addresses) &&
    verifiable_addresses.some((one) => {
      const { value, verified } = record(one);
      return verified === true && text(value).toLowerCase() === address;
    });
  return {
    id,
    email: address,
    isVerified,
    first: text(first) || (typeof name === "string" ? name : ""),
    last: text(last),
    schemaId: text(schema_id) || "default",
  };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const record = (value: unknown) =>
  (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
const text = (value: unknown) => (typeof value === "string" ? value : "");
