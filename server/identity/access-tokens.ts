/**
 * API tokens: `password.salt.timeCost.memoryCost.parallelism`; stored is the url-safe base64 of Argon2id over them
 * (facts/backend-http.md §2).
 */
import { createHmac, randomBytes } from "node:crypto";
import { hashRaw, type Algorithm } from "@node-rs/argon2";
import { Busy, createGate } from "./gate.ts";
import type { Limits } from "./limits.ts";
import type { AccessTokenStore, TokenOwner } from "./store/access-tokens.ts";
import type { IdentityStore } from "./store/identities.ts";
import type { SignedIn } from "./store/sessions.ts";

interface Parts {
  password: string;
  salt: string;
  timeCost: number;
  memoryCost: number;
  parallelism: number;
}

/** How we make them; the same costs are the most we accept, for whoever sends a token chooses what it costs us. */
const COSTS = { timeCost: 1, memoryCost: 65_536, parallelism: 4 };
const HASH_BYTES = 20;
/** The library's Algorithm is an ambient const enum, which isolated modules cannot read. */
const ARGON2ID: Algorithm.Argon2id = 2;
const COST = /^[1-9]\d{0,5}$/;

/** The parts of a token, or null when it is not one or would cost more than ours do. */
export function parseAccessToken(raw: string): Parts | null {
  if (raw.length > 500) return null;
  const [password, salt, time, memory, lanes, ...rest] = raw.split(".");
  if (!password || !salt || salt.length < 8 || rest.length > 0) return null;
  if (![time, memory, lanes].every((cost) => cost !== undefined && COST.test(cost))) return null;
  const parts = {
    password,
    salt,
    timeCost: Number(time),
    memoryCost: Number(memory),
    parallelism: Number(lanes),
  };
  const tooDear =
    parts.timeCost > COSTS.timeCost ||
    parts.memoryCost > COSTS.memoryCost ||
    parts.parallelism > COSTS.parallelism;
  return tooDear || parts.memoryCost < 8 * parts.parallelism ? null : parts;
}

/** A refused token: the status and the text of the answer (facts/backend-http.md §2). */
export type TokenVerdict =
  | { person: SignedIn }
  | { refused: 400; text: "invalid access token" }
  | { refused: 401; text: "access token has expired" | "Session Expired" }
  /** Not looked at: too many that nobody has came from there, or too much waits. */
  | { refused: 429 | 503; text: string };

const wait = (seconds: number) => `Too many access tokens are being looked at. Try again in ${seconds} s.`;

const REMEMBER_MS = 10 * 60_000;
const REMEMBER_MAX = 2_000;
/** When a token was used is written down this often, not with every call. */
const NOTE_MS = 60_000;

interface Needs {
  store: AccessTokenStore;
  noteLogin: IdentityStore["noteLogin"];
  limits: Limits;
  now: () => Date;
}

/**
 * Two at a time, 64 MiB each, however many come: a hundred wait, a few seconds at most, and a flood is turned away. Tokens
 * that were seen before need no hash and do not wait.
 */
const WIDTH = 2;
const ROOM = 100;
/** When more wait than that, this is soon enough to come again, in seconds. */
const BUSY_SECONDS = 5;

export function createAccessTokens({ store, noteLogin, limits, now }: Needs) {
  const gate = createGate(WIDTH, ROOM);

  /** @throws Busy while too many wait, unless it is `first` */
  async function valueOf({ password, salt, ...costs }: Parts, first = false): Promise<string> {
    const work = { ...costs, salt: Buffer.from(salt), algorithm: ARGON2ID, outputLen: HASH_BYTES };
    const bytes = await gate(() => hashRaw(password, work), { first });
    return bytes.toString("base64url").padEnd(Math.ceil(HASH_BYTES / 3) * 4, "=");
  }

  const secret = randomBytes(32);
  const values = new Map<string, { value: string; until: number }>();
  const strangers: typeof values = new Map();

  /** The pure function token → hash (64 MiB each time) is remembered only; what the hash stands for is asked each time. */
  function remembered(key: string): string | null {
    const known = values.get(key) ?? strangers.get(key);
    return known && known.until > now().getTime() ? known.value : null;
  }

  /** The owner by a hash that is made now; strangers are counted by where they come from, before it. */
  async function firstSeen(
    key: string,
    parts: Parts,
    client: string | null,
  ): Promise<{ owner: TokenOwner | null } | Extract<TokenVerdict, { refused: 429 | 503 }>> {
    const taken = await limits.take("token", { client });
    if (!taken.ok) return { refused: 429, text: wait(taken.seconds) };
    const value = await valueOf(parts).catch(async (error: unknown) => {
      await limits.giveBack(taken.reservation);
      if (error instanceof Busy) return null;
      throw error;
    });
    if (value === null) return { refused: 503, text: wait(BUSY_SECONDS) };
    const owner = await store.find(value);
    if (owner) await limits.giveBack(taken.reservation);
    // Apart, so that what nobody has cannot push out what somebody has.
    const memory = owner ? values : strangers;
    if (memory.size >= REMEMBER_MAX) memory.clear();
    memory.set(key, { value, until: now().getTime() + REMEMBER_MS });
    return { owner };
  }

  const noted = new Map<string, number>();

  async function noteUse(id: string): Promise<void> {
    const time = now().getTime();
    if ((noted.get(id) ?? Number.NEGATIVE_INFINITY) > time - NOTE_MS) return;
    if (noted.size >= REMEMBER_MAX) noted.clear();
    noted.set(id, time);
    await store.noteUse(id, now());
  }

  return {
    /** Whom the token stands for, or how to refuse it. `client` is the caller's address, where it is known. */
    async verify(raw: string, client: string | null = null): Promise<TokenVerdict> {
      const parts = parseAccessToken(raw);
      if (!parts) return { refused: 400, text: "invalid access token" };
      const key = createHmac("sha256", secret).update(raw).digest("base64");
      const known = remembered(key);
      const found = known ? { owner: await store.find(known) } : await firstSeen(key, parts, client);
      if ("refused" in found) return found;
      const { owner } = found;
      if (!owner) return { refused: 401, text: "Session Expired" };
      if (owner.expiresAt !== null && owner.expiresAt <= now())
        return { refused: 401, text: "access token has expired" };
      await noteUse(owner.id);
      if (!known) await noteLogin(owner.person.personId, now());
      return { person: owner.person };
    },

    /**
     * Makes a token for a person; the clear text is returned once and never stored. `expiresAt` null: never.
     * @throws Error when the person has a token of that name
     */
    async create(personId: string, name: string, expiresAt: Date | null): Promise<string> {
      const parts = {
        password: randomBytes(24).toString("base64url"),
        salt: randomBytes(12).toString("base64url"),
        ...COSTS,
      };
      const added = await store.add({ personId, name, value: await valueOf(parts, true), expiresAt }, now());
      if (!added) throw new Error(`This person has an access token named "${name}" already.`);
      const { password, salt, timeCost, memoryCost, parallelism } = parts;
      return [password, salt, timeCost, memoryCost, parallelism].join(".");
    },
  };
}
