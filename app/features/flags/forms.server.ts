import { z } from "zod";
import { FEATURES } from "#app/contract/features.ts";
import { FLAG_WORDS } from "#app/contract/words/features.ts";

const NAME_LIMIT = 200;
const VALUE_LIMIT = 5_000;
const given = (limit: number) =>
  z
    .string({ error: FLAG_WORDS.incomplete })
    .trim()
    .min(1, FLAG_WORDS.incomplete)
    .max(limit, `This field must not be longer than ${limit} characters`);

/** A property that is added: name and value are both needed (specification 3 §5). */
export const NewFlag = z.object({
  name: given(NAME_LIMIT).regex(/^\S+$/, "A name has no spaces, like check.status.retention.days"),
  value: given(VALUE_LIMIT),
});

/** One that is changed: the name it had, and the version that was seen. */
export const ChangedFlag = NewFlag.extend({ was: z.string(), seen: z.string().optional() });

export const GoneFlag = z.object({ was: z.string() });

export const Switched = z.object({ feature: z.enum(FEATURES), to: z.enum(["on", "off"]) });
