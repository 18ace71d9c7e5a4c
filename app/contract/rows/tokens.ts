import { z } from "zod";

const moment = z.coerce.date().nullish();

/** `GET /ph/tokens`: one page of access tokens, without their secrets. */
export const TokenPage = z.object({
  tokens: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      person: z.object({ id: z.string(), name: z.string() }),
      created_at: z.coerce.date(),
      expires_at: moment,
      last_used_at: moment,
    }),
  ),
  total: z.number(),
});
export type TokenRow = z.output<typeof TokenPage>["tokens"][number];

/** `POST /ph/tokens`: the secret, this once. */
export const CreatedToken = z.object({ name: z.string(), token: z.string(), expires_at: moment });
export type CreatedToken = z.output<typeof CreatedToken>;
