import {
  flag,
  group,
  number,
  numbers,
  optional,
  schemaOf,
  secret,
  select,
  text,
  textarea,
} from "#app/contract/fields.ts";
import { address, envVars } from "#app/contract/value-fields.ts";
import { commonFields, connectionHint, environment, threshold } from "./common.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** One table, three readers: the form draws it, the engine validates with it, `/schemas` publishes it. */
export const httpFields = {
  ...commonFields,
  url: optional(address("URL", "http:// or https://; $(name) is a value of the environment")),
  endpoint: optional(address("Endpoint", "Old name of URL; only one of the two")),
  connection: optional(text("Connection", connectionHint)),
  method: optional(select("Method", METHODS, "GET unless given")),
  headers: optional(envVars("Headers")),
  body: optional(textarea("Body")),
  templateBody: flag("Fill the body", "Replaces $(name) in the body by the values of the environment"),
  env: optional(environment),
  username: optional(secret("Username", "Basic authentication")),
  password: optional(secret("Password")),
  responseCodes: optional(
    numbers("Response codes", {
      min: 100,
      max: 599,
      hint: "200 to 299 unless given. A redirect is followed unless its code is listed",
    }),
  ),
  responseContent: optional(textarea("Response contains", "Text that must be in the response body")),
  thresholdMillis: threshold,
  maxSSLExpiry: optional(number("Certificate valid for (days)", { hint: "Fewer days left fails" })),
  tlsConfig: optional(
    group("TLS", {
      insecureSkipVerify: flag("Accept any certificate"),
      handshakeTimeout: optional(number("Handshake timeout (s)")),
      ca: optional(secret("Certificate authority", "PEM")),
      cert: optional(secret("Client certificate", "PEM")),
      key: optional(secret("Client key", "PEM")),
    }),
  ),
};

/**
 * Exactly one of the three addresses. A stored connection's credentials go to its own URL and nowhere else: whoever may
 * write checks need not be somebody who may read connections.
 */
export const HttpSpec = schemaOf(httpFields).superRefine((spec, context) => {
  const given = (["url", "endpoint", "connection"] as const).filter((name) => spec[name] !== undefined);
  if (given.length === 0)
    context.addIssue({ code: "custom", path: ["url"], message: "This field is required" });
  if (given.length > 1)
    context.addIssue({
      code: "custom",
      path: ["url"],
      message: `${given.join(" and ")} cannot be given together`,
    });
});
