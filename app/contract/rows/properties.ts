import { z } from "zod";
import { embed, view } from "../view.ts";

/** `GET /properties` with where each comes from: `local` is a file of the installation, and hides a row of its name. */
export const ListedProperties = z.array(
  z.object({
    name: z.string(),
    value: z.string().nullish(),
    description: z.string().nullish(),
    source: z.string().nullish(),
  }),
);

const Author = z.object({ id: z.string(), name: z.string() });

/** A property of the database. `updated_at` is text: a Date would lose its microseconds. */
export const propertyRow = view(
  "properties",
  z.object({
    name: z.string(),
    value: z.string(),
    created_by: embed("created_by", Author).nullish(),
    created_at: z.coerce.date().nullish(),
    updated_at: z.string().nullish(),
    deleted_at: z.coerce.date().nullish(),
  }),
);
