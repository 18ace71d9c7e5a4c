/**
 * `/ph/tokens` (beyond the contract): access tokens of the caller, and for administrators everybody's. Only whoever is
 * signed in makes one: a token that could make others would outlive its own end.
 */
import { z } from "zod";
import { LONGEST_LIFETIME, TOKEN_NAME_LIMIT } from "#app/contract/words/tokens.ts";
import type { AccessTokenStore, ListedToken } from "#server/identity/store/access-tokens.ts";
import { readBody } from "./body.ts";
import { ApiError } from "./errors.ts";
import type { Principal } from "./principal.ts";
import type { Route } from "./router.ts";

export interface TokenNeeds {
  tokens: AccessTokenStore;
  /** Makes one and returns its secret; throws when the person has one of that name. */
  create(personId: string, name: string, expiresAt: Date | null): Promise<string>;
  now?: () => Date;
}

const DAY_MS = 86_400_000;
/** More than anybody keeps apart; ours to choose. */
const MOST_TOKENS = 100;
const PAGE_LIMIT = 200;

const NewToken = z.object({
  name: z
    .string({ error: "name is required: what the token is for, like ci-pipeline." })
    .trim()
    .min(1, "name is required: what the token is for, like ci-pipeline.")
    .max(TOKEN_NAME_LIMIT, `name must not be longer than ${TOKEN_NAME_LIMIT} characters.`),
  expires_in_days: z
    .number({ error: "expires_in_days must be a number of days, or null for never." })
    .int("expires_in_days must be a whole number of days.")
    .min(1, "expires_in_days must be at least 1.")
    .max(LONGEST_LIFETIME, `expires_in_days must be at most ${LONGEST_LIFETIME}.`)
    .nullable(),
});
const Id = z.guid();

export function tokenRoutes({ tokens, create, now = () => new Date() }: TokenNeeds): Route[] {
  return [
    {
      method: "GET",
      path: "/ph/tokens",
      who: "signed-in",
      handler: async (c) => {
        const { personId, roles } = c.get("principal");
        const isAll = c.req.query("all") === "true";
        if (isAll && !roles.includes("admin"))
          throw new ApiError(403, "Only administrators see the tokens of others.");
        const limit = wholeNumber(c.req.query("limit"), "limit", PAGE_LIMIT);
        const offset = wholeNumber(c.req.query("offset"), "offset", 0);
        const page = await tokens.list(isAll ? null : personId, {
          limit: Math.min(limit, PAGE_LIMIT),
          offset,
        });
        return c.json({ tokens: page.tokens.map(shown), total: page.total });
      },
    },
    {
      method: "POST",
      path: "/ph/tokens",
      who: "signed-in",
      handler: async (c) => {
        const principal = c.get("principal");
        refuseToken(principal);
        const { name, expires_in_days: days } = await readBody(c, NewToken);
        if ((await tokens.count(principal.personId)) >= MOST_TOKENS)
          throw new ApiError(
            409,
            `You have ${MOST_TOKENS} access tokens: revoke one that is not used any more.`,
          );
        const expiresAt = days === null ? null : new Date(now().getTime() + days * DAY_MS);
        const token = await create(principal.personId, name, expiresAt).catch((error: unknown) => {
          if (error instanceof Error && error.message.startsWith("This person has"))
            throw new ApiError(409, `You have an access token named "${name}" already: choose another name.`);
          throw error;
        });
        return c.json({ name, token, expires_at: expiresAt }, 201, { "Cache-Control": "no-store" });
      },
    },
    {
      method: "DELETE",
      path: "/ph/tokens/:id",
      who: "signed-in",
      handler: async (c) => {
        const { personId, roles } = c.get("principal");
        const id = Id.safeParse(c.req.param("id"));
        const name = id.success && (await tokens.remove(id.data, roles.includes("admin") ? null : personId));
        if (!name) throw new ApiError(404, "There is no such access token.");
        return c.json({ message: "success", name });
      },
    },
  ];
}

/** @throws ApiError 403 for a caller who came with an access token */
export function refuseToken({ via }: Principal): void {
  if (via === "token")
    throw new ApiError(403, "An access token cannot make another one: sign in with your password.");
}

function wholeNumber(text: string | undefined, name: string, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^\d{1,9}$/.test(text)) throw new ApiError(400, `${name} must be a whole number.`);
  return Number(text);
}

const shown = ({ id, name, personId, personName, createdAt, expiresAt, lastUsedAt }: ListedToken) => ({
  id,
  name,
  person: { id: personId, name: personName },
  created_at: createdAt,
  expires_at: expiresAt,
  last_used_at: lastUsedAt,
});
