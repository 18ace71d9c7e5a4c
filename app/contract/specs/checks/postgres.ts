import { number, optional, schemaOf, secret, text, textarea } from "#app/contract/fields.ts";
import { address } from "#app/contract/value-fields.ts";
import { commonFields, connectionHint } from "./common.ts";

/** A query that must answer with enough rows. */
export const postgresFields = {
  ...commonFields,
  connection: optional(text("Connection", connectionHint)),
  url: optional(
    address(
      "URL",
      "postgres://$(username):$(password)@host:5432/database?sslmode=disable, or key=value pairs",
    ),
  ),
  username: optional(secret("Username")),
  password: optional(secret("Password")),
  query: optional(textarea("Query", "SELECT 1 unless given")),
  results: optional(number("Rows expected", { hint: "Fewer rows fail" })),
};

export const PostgresSpec = schemaOf(postgresFields).superRefine((spec, context) => {
  if (spec.url && spec.connection)
    context.addIssue({ code: "custom", path: ["url"], message: "url and connection cannot both be given" });
  if (!spec.url && !spec.connection)
    context.addIssue({ code: "custom", path: ["url"], message: "This field is required" });
});
