import { env } from "#app/lib/env.server.ts";
import { deriveKey, seal, unseal } from "#app/lib/seal.server.ts";

const NAME = "leaving";
const MINUTES = 10;

/**
 * The page that leads to a provider of sign-in elsewhere. A form may only lead to this site (our policy's `form-action`,
 * which browsers apply to redirects too), so its answer is a page of ours that goes on. The address is sealed: nobody
 * else can make that page lead anywhere.
 */
export const leavingPath = (address: string): string =>
  `/leaving?${new URLSearchParams({ to: seal(key(), NAME, { address, until: Date.now() + MINUTES * 60_000 }) })}`;

/** The address in a `to` of ours, or null when it is not ours, or too old. */
export function leavingTo(sealed: string): string | null {
  const value = unseal(key(), NAME, sealed) as { address?: unknown; until?: unknown } | null;
  if (typeof value?.address !== "string" || typeof value.until !== "number") return null;
  return value.until > Date.now() && /^https?:\/\//.test(value.address) ? value.address : null;
}

const key = () => deriveKey(env().sessionSecret, NAME);
