import { z } from "zod";

/** `GET /properties`: merged from files and the database, all text. */
export const Properties = z.array(z.object({ name: z.string(), value: z.string().nullable().catch(null) }));

/**
 * `GET /auth/whoami`. Roles we do not know (`everyone`, a later one) are left out by the reader. Our control plane adds
 * `properties` (null: they could not be read) and `about` (docs/decisions/0051), and `records`: do permission records speak
 * of the caller (0108)? Absent from other backends.
 */
export const Whoami = z.object({
  payload: z.object({
    user: z.object({
      id: z.string(),
      name: z.string().nullish(),
      email: z.string().nullish(),
      avatar: z.string().nullish(),
    }),
    roles: z.array(z.string()).nullish(),
    hostname: z.string().nullish(),
    properties: Properties.nullish().catch(undefined),
    about: z
      .object({ Version: z.string(), features: z.array(z.string()) })
      .optional()
      .catch(undefined),
    records: z.boolean().optional().catch(undefined),
  }),
});
