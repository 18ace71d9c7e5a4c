import {
  flag,
  group,
  number,
  numbers,
  optional,
  schemaOf,
  secret,
  select,
  textarea,
} from "#app/contract/fields.ts";
import { address, envVars, inCapitals } from "#app/contract/value-fields.ts";
import { commonFields, environment, threshold } from "./common.ts";
import { jsonContent, oneAddress, oneLogin, webAddress, webLogin, webTrust } from "./web.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"] as const;

/** One table, three readers: the form draws it, the engine validates with it, `/schemas` publishes it. */
export const httpFields = {
  ...commonFields,
  url: webAddress.url,
  endpoint: optional(address("Endpoint", "Old name of URL; only one of the two")),
  connection: webAddress.connection,
  method: optional(inCapitals(select("Method", METHODS, "GET unless given"))),
  headers: optional(envVars("Headers")),
  body: optional(textarea("Body")),
  templateBody: flag(
    "Fill the body",
    "Fills $(name) and {{.name}} in the body with the values of the environment",
  ),
  env: optional(environment),
  ...webLogin,
  ntlm: flag("NTLM", "With username, also as DOMAIN\\name, and password"),
  ntlmv2: flag("NTLMv2", "The same; a server that knows only the first version is refused"),
  authentication: optional(
    group(
      "Authentication",
      { username: optional(secret("Username")), password: optional(secret("Password")) },
      "Old place of username and password",
    ),
  ),
  responseCodes: optional(
    numbers("Response codes", {
      min: 100,
      max: 599,
      hint: "200 to 299 unless given. A redirect is followed unless its code is listed",
    }),
  ),
  responseContent: optional(textarea("Response contains", "Text that must be in the response body")),
  responseJSONContent: jsonContent,
  thresholdMillis: threshold,
  maxSSLExpiry: optional(number("Certificate valid for (days)", { hint: "Fewer days left fails" })),
  ...webTrust,
};

export const HttpSpec = schemaOf(httpFields).superRefine((spec, context) => {
  oneAddress(spec, context);
  oneLogin(spec, context);
});
