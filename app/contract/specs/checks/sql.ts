import type { z } from "zod";
import { number, optional, schemaOf, secret, text, textarea, type Fields } from "#app/contract/fields.ts";
import { address } from "#app/contract/value-fields.ts";
import { commonFields, connectionHint } from "./common.ts";

/** A query that must answer with enough rows; what its URL looks like is the database's. */
export const sqlFields = (urlHint: string) => ({
  ...commonFields,
  connection: optional(text("Connection", connectionHint)),
  url: optional(address("URL", urlHint)),
  username: optional(secret("Username")),
  password: optional(secret("Password")),
  query: optional(textarea("Query", "SELECT 1 unless given")),
  results: optional(number("Rows expected", { hint: "Fewer rows fail" })),
});

/** The schema of a table with `url` and `connection`, of which exactly one must be given. */
export const withOneAddress = <F extends Fields>(fields: F) =>
  schemaOf(fields).superRefine((spec, context) => {
    const { url, connection } = spec as { url?: string; connection?: string };
    if (url && connection)
      context.addIssue({ code: "custom", path: ["url"], message: "url and connection cannot both be given" });
    if (!url && !connection)
      context.addIssue({ code: "custom", path: ["url"], message: "This field is required" });
  });

/** What all runners of SQL read. */
export type SqlSpec = z.output<ReturnType<typeof withOneAddress<ReturnType<typeof sqlFields>>>>;
