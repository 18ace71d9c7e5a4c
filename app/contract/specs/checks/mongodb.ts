import { optional, secret, text } from "#app/contract/fields.ts";
import { commonFields, connectionHint } from "./common.ts";
import { withOneAddress } from "./sql.ts";

/** A MongoDB whose primary must answer a ping. */
export const mongodbFields = {
  ...commonFields,
  connection: optional(text("Connection", connectionHint)),
  url: optional(text("URL", "mongodb://$(username):$(password)@host:27017/?authSource=admin")),
  username: optional(secret("Username")),
  password: optional(secret("Password")),
};
export const MongodbSpec = withOneAddress(mongodbFields);
