import { z } from "zod";
import { LIFETIMES, TOKEN_NAME_LIMIT } from "#app/contract/words/tokens.ts";

const DAYS = LIFETIMES.map(({ value }) => value);

/** A new token: what it is called, and for how many days it lives; null for ever. */
export const NewToken = z.object({
  name: z
    .string({ error: "This field is required" })
    .trim()
    .min(1, "This field is required")
    .max(TOKEN_NAME_LIMIT, `This field must not be longer than ${TOKEN_NAME_LIMIT} characters`),
  lifetime: z
    .enum(DAYS, { error: "Choose how long it lives" })
    .transform((value) => (value === "never" ? null : Number(value))),
});

export const ChosenToken = z.object({ id: z.guid("There is no such access token") });
