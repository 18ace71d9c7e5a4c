import type { z } from "zod";
import {
  flag,
  group,
  keyValue,
  number,
  optional,
  secret,
  text,
  texts,
  textarea,
} from "#app/contract/fields.ts";
import { address } from "#app/contract/value-fields.ts";
import { connectionHint } from "./common.ts";

/** What checks have in common that speak HTTP: where to, who asks, and whom to trust. */

const tls = (label: string) =>
  optional(
    group(label, {
      insecureSkipVerify: flag("Accept any certificate"),
      handshakeTimeout: optional(number("Handshake timeout (s)")),
      ca: optional(secret("Certificate authority", "PEM; only what it signed is trusted")),
      cert: optional(secret("Client certificate", "PEM")),
      key: optional(secret("Client key", "PEM")),
    }),
  );

const oauth = (label: string, hint?: string) =>
  optional(
    group(
      label,
      {
        tokenURL: address("Token URL"),
        clientID: optional(secret("Client ID", "The username unless given")),
        clientSecret: optional(secret("Client secret", "The password unless given")),
        scope: optional(texts("Scopes")),
        params: optional(keyValue("Parameters", "Sent to the token URL too")),
      },
      hint,
    ),
  );

export const webAddress = {
  url: optional(address("URL", "http:// or https://; $(name) or {{.name}} is a value of the environment")),
  connection: optional(text("Connection", connectionHint)),
};

export const webLogin = {
  username: optional(secret("Username", "Basic authentication, unless one of the others is chosen")),
  password: optional(secret("Password")),
  bearer: optional(secret("Bearer token", "Sent as it is")),
  oauth2: oauth("OAuth2", "A token by client credentials; it is kept until it expires"),
};

export const webTrust = { tlsConfig: tls("TLS") };

/** The same under the names that Prometheus checks have for them elsewhere. */
export const webOtherNames = {
  oauth: oauth("OAuth", "Another name of OAuth2"),
  tls: tls("TLS (other name)"),
};

/** Answers of a JSON path, as some have them in their files. */
export const jsonContent = optional(
  group("Response JSON contains", {
    path: text("Path", "JSONPath, such as $.status"),
    value: textarea("Value", "What must be there"),
  }),
);

type Context = z.core.$RefinementCtx<Record<string, unknown>>;

/**
 * Exactly one of the addresses. A stored connection's credentials go to its own URL and nowhere else: whoever may write
 * checks need not be somebody who may read connections.
 */
export function oneAddress(spec: Record<string, unknown>, context: Context): void {
  const given = ["url", "endpoint", "host", "connection"].filter((name) => spec[name] !== undefined);
  if (given.length === 0)
    context.addIssue({ code: "custom", path: ["url"], message: "This field is required" });
  if (given.length > 1)
    context.addIssue({
      code: "custom",
      path: ["url"],
      message: `${given.join(" and ")} cannot be given together`,
    });
}

/** One way to say who asks. Username and password may stand beside OAuth2 and NTLM, which use them. */
export function oneLogin(spec: Record<string, unknown>, context: Context): void {
  const given = ["bearer", "oauth2", "oauth", "ntlm", "ntlmv2"].filter((name) => spec[name]);
  const chosen = given.filter((name) => !(name === "ntlmv2" && given.includes("ntlm")));
  if (chosen.length > 1)
    context.addIssue({
      code: "custom",
      path: [chosen[1]!],
      message: `${chosen.join(" and ")} cannot be given together`,
    });
}
