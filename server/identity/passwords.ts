/** Which passwords are taken, and how they are kept: argon2id with OWASP's parameters, off the event loop. */
import { hash, verify } from "@node-rs/argon2";
import { COMMON_PASSWORDS } from "./common-passwords.ts";
import { Busy, createGate } from "./gate.ts";
import { Problem } from "./problem.ts";
import { texts, type UiText } from "./texts.ts";

/** Characters at least; at most so many that hashing cannot be used to tire the server. */
const MIN_LENGTH = 8;
const MAX_LENGTH = 1024;

/** Why this password may not be used with this e-mail, or null. Lengths are in characters, not UTF-16 units. */
export function passwordProblem(password: string, email: string): UiText | null {
  const length = [...password].length;
  if (length < MIN_LENGTH) return texts.passwordTooShort(MIN_LENGTH, length);
  if (length > MAX_LENGTH) return texts.passwordTooLong(MAX_LENGTH, length);
  const lower = password.toLowerCase();
  const address = email.toLowerCase();
  if (address && (lower.includes(address) || lower === address.split("@")[0]))
    return texts.passwordTooSimilar;
  if (COMMON_PASSWORDS.has(lower)) return texts.passwordPolicy("it is one of the most common passwords");
  return null;
}

/** OWASP's second choice, which is also the library's default; written down so that an update cannot weaken it. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/**
 * Two at a time: hashing shares libuv's four threads with DNS and files, and a burst must not take the memory. Some
 * hundred wait, a few seconds at most; a flood is turned away.
 */
const gate = createGate(2, 200);

/** @throws Problem 503 while too many wait */
export async function hashPassword(password: string): Promise<string> {
  try {
    return await gate(() => hash(password, OPTIONS));
  } catch (error) {
    throw error instanceof Busy ? busy() : error;
  }
}

const busy = () =>
  new Problem(
    503,
    undefined,
    "The service is unavailable",
    "Too many people sign in at this moment. Please try again in a few seconds.",
  );

/** The hash of a password that nobody knows, made with OPTIONS: what is compared where there is no account. */
export const DECOY =
  "$argon2id$v=19$m=19456,t=2,p=1$WoKUEGk7n6X85TX6yuCbhA$g5saC2kvYjFmii0+M3cz8nfAr3XL4boEpccaiJ/3arM";

/**
 * Whether the password is the one behind the hash. Without a hash (no such account) the same work is done, so that the
 * time of the answer does not tell which addresses have an account. `first`: before those who wait.
 * @throws Busy while too many wait
 */
export async function matchesPassword(
  passwordHash: string | null,
  password: string,
  { first = false } = {},
): Promise<boolean> {
  if ([...password].length > MAX_LENGTH) return false;
  const matches = await gate(() => verify(passwordHash ?? DECOY, password), { first });
  return passwordHash !== null && matches;
}
