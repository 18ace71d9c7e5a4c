/**
 * API tokens: `password.salt.timeCost.memoryCost.parallelism`; stored is the url-safe base64 of Argon2id over them
 * (facts/backend-http.md §2).
 */
import { createHmac, randomBytes } from "node:crypto";
import { hashRaw, type Algorithm } from "@node-rs/argon2";
import { createGate } from "./gate.ts";
import type { AccessTokenStore } from "./store/access-tokens.ts";
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
  | { refused: 401; text: "access token has expired" | "Session Expired" };

const REMEMBER_MS = 10 * 60_000;
const REMEMBER_MAX = 2_000;
/** When a token was used is written down this often, not with every call. */
const NOTE_MS = 60_000;

interface Needs {
  store: AccessTokenStore;
  noteLogin: IdentityStore["noteLogin"];
  now: () => Date;
}

export function createAccessTokens({ store, noteLogin, now }: Needs) {
  const gate = createGate(2);

  async function valueOf({ password, salt, ...costs }: Parts): Promise<string> {
    const bytes = await gate(() =>
      hashRaw(password, {
        ...costs,
        salt: Buffer.from(salt),
        algorithm: ARGON2ID,
        outputLen: HASH_BYTES,
      }),
    );
    return bytes.toString("base64url").padEnd(Math.ceil(HASH_BYTES / 3) * 4, "=");
  }

  const secret = randomBytes(32);
  const values = new Map<string, { value: string; until: number }>();

  /** Remembers the pure function token → hash (64 MiB each time) only; what the hash stands for is asked each time. */
  async function rememberedValue(raw: string, parts: Parts): Promise<{ value: string; fresh: boolean }> {
    const key = createHmac("sha256", secret).update(raw).digest("base64");
    const time = now().getTime();
    const known = values.get(key);
    if (known && known.until > time) return { value: known.value, fresh: false };
    const value = await valueOf(parts);
    if (values.size >= REMEMBER_MAX) values.clear();
    values.set(key, { value, until: time + REMEMBER_MS });
    return { value, fresh: true };
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
    /** Whom the token stands for, or how to refuse it. */
    async verify(raw: string): Promise<TokenVerdict> {
      const parts = parseAccessToken(raw);
      if (!parts) return { refused: 400, text: "invalid access token" };
      const { value, fresh } = await rememberedValue(raw, parts);
      const owner = await store.find(value);
      if (!owner) return { refused: 401, text: "Session Expired" };
      if (owner.expiresAt !== null && owner.expiresAt <= now())
        return { refused: 401, text: "access token has expired" };
      await noteUse(owner.id);
      if (fresh) await noteLogin(owner.person.personId, now());
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
      const added = await store.add({ personId, name, value: await valueOf(parts), expiresAt }, now());
      if (!added) throw new Error(`This person has an access token named "${name}" already.`);
      const { password, salt, timeCost, memoryCost, parallelism } = parts;
      return [password, salt, timeCost, memoryCost, parallelism].join(".");
    },
  };
}
