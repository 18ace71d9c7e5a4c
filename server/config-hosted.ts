/** The hosted sign-in provider in the supervisor's configuration, and the combinations that make no sense. */
import { readHosted, type HostedConfig } from "#app/lib/hosted/config.server.ts";
import { StartError } from "./db/start-error.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads OIDC_…; throws StartError with one sentence. Null when no provider is named. */
export function hostedOf(given: Variables): HostedConfig | null {
  let hosted: HostedConfig | null;
  try {
    hosted = readHosted(given);
  } catch (error) {
    throw new StartError((error as Error).message);
  }
  if (!hosted) return null;
  const broken = nonsense(hosted, given).find(([holds]) => holds);
  if (broken) throw new StartError(broken[1]);
  return hosted;
}

/** What the web process is told, as it was given. */
export const hostedVariables = (given: Variables): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      name.startsWith("OIDC_") && value ? [[name, value] as const] : [],
    ),
  );

function nonsense({ upstreams }: HostedConfig, given: Variables): [boolean, string][] {
  const role = given["PILOTHOUSE_ROLE"];
  return [
    [
      !given["PUBLIC_URL"] && role !== "control-plane",
      "PUBLIC_URL must be set when OIDC_ISSUER is: the provider sends people back to it.",
    ],
    [
      given["PILOTHOUSE_ADMIN_EMAIL"] !== undefined,
      "PILOTHOUSE_ADMIN_EMAIL makes no sense with OIDC_ISSUER: unset it, since accounts are the provider's.",
    ],
    [
      given["PILOTHOUSE_DEMO"] === "1",
      "PILOTHOUSE_DEMO makes no sense with OIDC_ISSUER: unset one of them, since the demo brings its own people.",
    ],
    [
      given["PILOTHOUSE_MODE"] === "standalone",
      "PILOTHOUSE_MODE=standalone makes no sense with OIDC_ISSUER: unset one of them, since nobody signs in there.",
    ],
    [
      upstreams !== null && given["UPSTREAM_URL"] !== undefined,
      "UPSTREAM_URL makes no sense with OIDC_UPSTREAMS: unset one of them, since each organisation has its own backend.",
    ],
    [
      upstreams !== null &&
        (role === "all" || role === "control-plane" || given["DATABASE_URL"] !== undefined),
      "OIDC_UPSTREAMS is for a web alone: unset PILOTHOUSE_ROLE and DATABASE_URL, since the backends run elsewhere.",
    ],
    [
      upstreams !== null && given["SESSION_SECRET"] === undefined,
      "SESSION_SECRET must be set when OIDC_UPSTREAMS is, to at least 32 characters that all web processes share.",
    ],
  ];
}
