import { number, optional, schemaOf, secret, text } from "#app/contract/fields.ts";
import { commonFields, connectionHint } from "./common.ts";

/** A Redis that must answer PING. */
export const redisFields = {
  ...commonFields,
  connection: optional(text("Connection", connectionHint)),
  url: optional(text("URL", "redis://host:6379/0, with TLS rediss://")),
  addr: optional(text("Address", "host:6379: the old way to say url")),
  username: optional(secret("Username")),
  password: optional(secret("Password")),
  db: optional(number("Database", { hint: "Its number; 0 unless given" })),
};

export const RedisSpec = schemaOf(redisFields).superRefine((spec, context) => {
  const given = (["url", "addr", "connection"] as const).filter((name) => spec[name] !== undefined);
  if (given.length === 0)
    context.addIssue({ code: "custom", path: ["url"], message: "This field is required" });
  if (given.length > 1)
    context.addIssue({
      code: "custom",
      path: ["url"],
      message: `${given.join(" and ")} cannot be given together`,
    });
});
