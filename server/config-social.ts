/** SOCIAL_PROVIDERS: the accounts elsewhere that the built-in identity service lets people sign in with. */
import { z } from "zod";
import { isLoopback } from "#app/lib/hosted/config.server.ts";
import type { SocialProvider } from "#server/identity/index.ts";
import { StartError } from "./db/start-error.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const FORM =
  'SOCIAL_PROVIDERS must be a list like [{"id": "google", "label": "Google", "issuer": "https://accounts.google.com", "clientId": "…", "clientSecret": "…"}]';

const isIssuer = (text: string) => {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false;
  const url = new URL(text);
  return url.username === "" && (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url)));
};
const line = (most: number, words: string) =>
  z
    .string(words)
    .trim()
    .min(1, words)
    .max(most, `must have ${most} characters at most`)
    .regex(/^[^\p{Cc}]*$/u, "must be one line");
const Provider = z
  .strictObject({
    id: z
      .string("must be small letters, digits and dashes")
      .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be small letters, digits and dashes"),
    label: line(60, "must say what the button is called"),
    issuer: z
      .string("must be the https address of an OpenID Connect provider")
      .refine(
        isIssuer,
        "must be the https address of an OpenID Connect provider (http only on this machine)",
      ),
    clientId: line(500, "must be what the provider knows this installation by"),
    clientSecret: z.string().min(1, "must not be empty: leave it out for a public client").nullish(),
    scopes: z
      .string()
      .refine((text) => text.split(/\s+/).includes("openid"), "must contain openid")
      .optional(),
  })
  .transform(({ clientSecret, scopes, ...rest }): SocialProvider => ({
    ...rest,
    clientSecret: clientSecret ?? null,
    scopes: scopes ?? "openid email profile",
  }));

/** Reads and checks; throws StartError with one sentence, which never holds a secret. Empty when there are none. */
export function socialOf(given: Variables): SocialProvider[] {
  const text = given["SOCIAL_PROVIDERS"];
  if (!text) return [];
  const parsed = z.array(Provider).min(1).safeParse(parse(text));
  if (!parsed.success) throw new StartError(`${FORM}${placeOf(parsed.error.issues[0])}.`);
  const twice = (["id", "issuer"] as const)
    .map((name) => ({ name, value: firstTwice(parsed.data.map((one) => one[name])) }))
    .find(({ value }) => value !== undefined);
  if (twice)
    throw new StartError(
      `SOCIAL_PROVIDERS has two providers with the ${twice.name} ${twice.value}: give each its own.`,
    );
  const broken = nonsense(given).find(([holds]) => holds);
  if (broken) throw new StartError(broken[1]);
  return parsed.data;
}

/** "…: the issuer of the 2nd must be …"; values are left out, one of them is a secret. */
function placeOf(issue: z.core.$ZodIssue | undefined): string {
  const [index, name] = issue?.path ?? [];
  if (issue === undefined || typeof index !== "number") return "";
  const which = `provider ${index + 1}`;
  if (name !== undefined) return `: the ${String(name)} of ${which} ${issue.message}`;
  if (issue.code === "unrecognized_keys")
    return `: ${which} has ${issue.keys.join(", ")}, which means nothing`;
  return `: ${which} is no object`;
}

const firstTwice = (values: readonly string[]) =>
  values.find((value, index) => values.indexOf(value) !== index);

/** Each rule: when it holds, the combination makes no sense, and this is the sentence. */
function nonsense(given: Variables): [boolean, string][] {
  return [
    [
      !given["PUBLIC_URL"],
      "PUBLIC_URL must be set when SOCIAL_PROVIDERS is: the providers send people back to it.",
    ],
    [
      given["OIDC_ISSUER"] !== undefined,
      "SOCIAL_PROVIDERS makes no sense with OIDC_ISSUER: unset one of them, since the hosted provider keeps all accounts.",
    ],
    [
      given["ORY_KRATOS_URL"] !== undefined,
      "SOCIAL_PROVIDERS makes no sense with ORY_KRATOS_URL: unset it, since Kratos has providers of its own.",
    ],
    [
      given["UPSTREAM_URL"] !== undefined,
      "SOCIAL_PROVIDERS makes no sense with UPSTREAM_URL: unset it, since accounts belong to the upstream.",
    ],
    [
      given["PILOTHOUSE_MODE"] === "standalone",
      "SOCIAL_PROVIDERS makes no sense with PILOTHOUSE_MODE=standalone: unset one of them, since nobody signs in there.",
    ],
  ];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
