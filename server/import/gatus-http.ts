/** A request of Gatus → the fields of an http check. Pure. */
import { STATUS_CODES } from "node:http";
import type { Part, Path } from "./documents.ts";
import { isFields, textOf, type Fields } from "./entry.ts";
import type { Conditions } from "./gatus-conditions.ts";

/** Says what is not taken over, and where it stands. */
export type Warn = (path: Path, message: string) => void;

/** `${NAME}`, the whole value: an environment variable of Gatus. */
const VARIABLE = /^\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?$/;

/** What a request of Gatus asks for and expects, as fields of an http check. */
export function httpOf(part: Part, endpoint: Fields, found: Conditions, warn: Warn): Fields {
  const client = isFields(endpoint["client"]) ? endpoint["client"] : {};
  const oauth2 = isFields(client["oauth2"]) ? client["oauth2"] : null;
  for (const key of Object.keys(client))
    if (!["insecure", "timeout", "oauth2", "ignore-redirect", "network"].includes(key))
      warn(["client", key], `client.${key} has no counterpart and is left out`);
  const headers = isFields(endpoint["headers"]) ? Object.entries(endpoint["headers"]) : [];
  const graphql = endpoint["graphql"] === true;
  const body = textOf(endpoint["body"]);
  if (graphql && !headers.some(([name]) => name.toLowerCase() === "content-type"))
    headers.push(["Content-Type", "application/json"]);
  if (client["ignore-redirect"] === true && !found.codes?.some((code) => code >= 300 && code < 400))
    warn(
      ["client", "ignore-redirect"],
      "redirects are followed here unless their code is among the expected ones",
    );
  return {
    method: textOf(endpoint["method"])?.toUpperCase(),
    headers: headers.length > 0 ? headers.map(([name, value]) => headerOf(name, value, warn)) : undefined,
    body: body !== null && graphql ? JSON.stringify({ query: body }) : (body ?? undefined),
    responseCodes: codesOf(found, warn),
    responseContent: found.contains ?? undefined,
    maxSSLExpiry: found.certificateDays ?? undefined,
    tlsConfig: client["insecure"] === true ? { insecureSkipVerify: true } : undefined,
    ...(oauth2 ? oauth2Of(oauth2) : {}),
  };
}

function headerOf(name: string, given: unknown, warn: Warn): Fields {
  const value = String(given ?? "");
  const variable = VARIABLE.exec(value)?.[1];
  if (variable) {
    warn(["headers", name], `the variable ${variable} is read as the secret gatus/${variable}: put it there`);
    return { name, value: `secret://gatus/${variable}` };
  }
  if (/\$\{[A-Za-z_]/.test(value)) warn(["headers", name], "variables inside a text are not filled in here");
  return { name, value };
}

const oauth2Of = (given: Fields): Fields => ({
  username: textOf(given["client-id"]) ?? "",
  password: textOf(given["client-secret"]) ?? "",
  oauth2: {
    tokenURL: textOf(given["token-url"]) ?? "",
    scope: Array.isArray(given["scopes"]) ? given["scopes"] : [],
  },
});

/** Codes as a list. Those that are asked for anyway (200 to 299) are left out. */
function codesOf({ codes }: Conditions, warn: Warn): number[] | undefined {
  if (codes === null) {
    warn(["conditions"], "no condition asks for [STATUS]: here a code outside 200 to 299 fails");
    return undefined;
  }
  const known = Object.keys(STATUS_CODES).map(Number);
  const isUsual = known.every((code) => codes.includes(code) === (code >= 200 && code < 300));
  return isUsual ? undefined : codes;
}
