import { cookieLine, parseCookies } from "#app/lib/cookies.ts";
import { env } from "#app/lib/env.server.ts";
import { deriveKey, seal, unseal } from "#app/lib/seal.server.ts";

/** What a browser has to bring back from the provider: each sign-in that was begun has a cookie of its own. */
export interface Transaction {
  state: string;
  nonce: string;
  verifier: string;
  returnTo: string;
  /** ms since the epoch. */
  began: number;
}

/** How long a sign-in may take, seconds (specification 1 §8: flows live ten minutes). */
const SECONDS = 600;
const PREFIX = "pilothouse_sign_in_";
/** Sign-ins in several tabs at once; more than these and the oldest are given up. */
const MAX = 4;

let key: Buffer | undefined;
const transactionKey = () => (key ??= deriveKey(env().sessionSecret, "sign-in"));
const nameOf = (state: string) => PREFIX + state.slice(0, 12);
const line = (name: string, value: string, maxAge: number) =>
  cookieLine(name, value, { secure: env().isSecure, maxAge });

/** The Set-Cookie lines that begin one, and give up the oldest of too many. */
export function beginTransaction(request: Request, transaction: Transaction): string[] {
  const others = [...parseCookies(request.headers.get("cookie")).keys()].filter((name) =>
    name.startsWith(PREFIX),
  );
  const name = nameOf(transaction.state);
  return [
    ...others.slice(0, Math.max(0, others.length - MAX + 1)).map((old) => line(old, "", 0)),
    line(name, seal(transactionKey(), name, transaction), SECONDS),
  ];
}

/** The one that this browser began with this state, not older than ten minutes. */
export function findTransaction(request: Request, state: string): Transaction | null {
  const name = nameOf(state);
  const sealed = parseCookies(request.headers.get("cookie")).get(name);
  const found = sealed ? (unseal(transactionKey(), name, sealed) as Transaction | null) : null;
  if (!found || found.state !== state || found.began + SECONDS * 1000 < Date.now()) return null;
  return found;
}

/** The Set-Cookie line that spends it. */
export const endTransaction = (state: string): string => line(nameOf(state), "", 0);
