/** What the environment says, read once and checked whole. The only reader of process.env on this side. */
import { resolve } from "node:path";
import { Environment } from "./config-environment.ts";
import { hostedOf, hostedVariables } from "./config-hosted.ts";
import { socialOf } from "./config-social.ts";
import { StartError } from "./db/start-error.ts";

export type Part = "all" | "web" | "control-plane";

export interface Config {
  /** What runs in this start: everything, only the web, or only the control plane. */
  part: Part;
  dataDir: string;
  /** null: the bundled PostgreSQL. */
  databaseUrl: string | null;
  /** The backend's root without `/api`; null: our own control plane. */
  upstreamUrl: string | null;
  /** The public API of an Ory Kratos that people sign in by; null: the identity service is our own. */
  kratosUrl: string | null;
  host: string;
  port: number;
  publicUrl: string | null;
  /** The provider people sign in with; null: the built-in service. As given, for the web. */
  hosted: ReturnType<typeof hostedOf>;
  hostedVariables: Record<string, string>;
  /** Providers whose accounts people of the built-in service may sign in with. */
  social: ReturnType<typeof socialOf>;
  trustProxy: number;
  /** null: made and kept in the data folder. */
  sessionSecret: string | null;
  key: string | null;
  admin: { email: string; password: string } | null;
  /** With an Ory Kratos: who becomes administrator at the first sign-in, once that address is verified there. */
  kratosAdmin: string | null;
  /** The folder of configuration files, secrets and config maps; null: there is none. */
  configDir: string | null;
  /** PH_SECRET_… and PH_CONFIGMAP_…: values that specs refer to. */
  values: Record<string, string>;
  /** The mail server that people are told through; null: none. */
  smtp: { host: string; port: number; user: string | null; password: string | null; from: string } | null;
  /** The Kubernetes API that kubectl reaches through us; null: none. */
  kubernetes: { api: string; tokenFile: string; caFile: string | null } | null;
  /** Only the page of checks, for everybody and without a session (specification 1 §1). */
  standalone: boolean;
  /** With an invented estate, whose people the sign-in page lists. */
  demo: boolean;
}

/** Reads and checks; throws StartError with one sentence that names the variable and what would be right. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw new StartError(`${String(issue.path[0])} ${issue.message}.`);
  }
  const values = parsed.data;
  const hosted = hostedOf(given);
  refuseNonsense(values, Boolean(hosted?.upstreams));
  const part = values.PILOTHOUSE_ROLE ?? (values.UPSTREAM_URL || hosted?.upstreams ? "web" : "all");
  const admin =
    values.PILOTHOUSE_ADMIN_EMAIL && values.PILOTHOUSE_ADMIN_PASSWORD
      ? { email: values.PILOTHOUSE_ADMIN_EMAIL, password: values.PILOTHOUSE_ADMIN_PASSWORD }
      : null;
  return {
    part,
    dataDir: values.PILOTHOUSE_DATA,
    databaseUrl: values.DATABASE_URL ?? null,
    upstreamUrl: values.UPSTREAM_URL ?? null,
    kratosUrl: values.ORY_KRATOS_URL ?? null,
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL ?? null,
    hosted,
    hostedVariables: hostedVariables(given),
    social: socialOf(given),
    trustProxy: values.TRUST_PROXY,
    sessionSecret: values.SESSION_SECRET ?? null,
    key: values.PILOTHOUSE_KEY ?? null,
    admin,
    kratosAdmin: (values.ORY_KRATOS_URL && values.PILOTHOUSE_ADMIN_EMAIL) ?? null,
    configDir: values.PILOTHOUSE_CONFIG ? resolve(values.PILOTHOUSE_CONFIG) : null,
    values: Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) =>
        /^PH_(SECRET|CONFIGMAP)_/.test(name) && value !== undefined ? [[name, value]] : [],
      ),
    ),
    smtp: smtpOf(values),
    kubernetes: values.KUBERNETES_API
      ? {
          api: values.KUBERNETES_API,
          tokenFile: resolve(values.KUBERNETES_TOKEN_FILE),
          caFile: values.KUBERNETES_CA_FILE ? resolve(values.KUBERNETES_CA_FILE) : null,
        }
      : null,
    standalone: values.PILOTHOUSE_MODE === "standalone",
    demo: values.PILOTHOUSE_DEMO === "1",
  };
}

function smtpOf(values: Environment): Config["smtp"] {
  const { SMTP_HOST: host, SMTP_PORT: port, SMTP_FROM: from } = values;
  if (!host || !from) return null;
  return { host, port, from, user: values.SMTP_USER ?? null, password: values.SMTP_PASSWORD ?? null };
}

/** Each rule: when it holds, the combination makes no sense, and this is the sentence. */
function refuseNonsense(v: Environment, hasUpstreams: boolean): void {
  const role = v.PILOTHOUSE_ROLE;
  const rules: [boolean, string][] = [
    [
      role === "web" && !v.UPSTREAM_URL && !hasUpstreams,
      "PILOTHOUSE_ROLE=web needs UPSTREAM_URL, the root of the backend it shows.",
    ],
    [
      (role === "all" || role === "control-plane") && v.UPSTREAM_URL !== undefined,
      `UPSTREAM_URL makes no sense with PILOTHOUSE_ROLE=${role}: unset one of them, since a backend elsewhere needs only the web here.`,
    ],
    [
      v.UPSTREAM_URL !== undefined && v.DATABASE_URL !== undefined,
      "DATABASE_URL makes no sense with UPSTREAM_URL: unset one of them, since the web reads everything from its upstream.",
    ],
    [
      v.UPSTREAM_URL !== undefined && v.PILOTHOUSE_ADMIN_EMAIL !== undefined,
      "PILOTHOUSE_ADMIN_EMAIL makes no sense with UPSTREAM_URL: unset it, since accounts belong to the upstream.",
    ],
    [
      v.ORY_KRATOS_URL !== undefined && v.PILOTHOUSE_ADMIN_PASSWORD !== undefined,
      "PILOTHOUSE_ADMIN_PASSWORD makes no sense with ORY_KRATOS_URL: unset it, since passwords belong to Kratos.",
    ],
    [
      v.ORY_KRATOS_URL !== undefined && v.PILOTHOUSE_DEMO === "1",
      "PILOTHOUSE_DEMO makes no sense with ORY_KRATOS_URL: unset one of them, since the demo brings its own people.",
    ],
    [
      v.ORY_KRATOS_URL !== undefined && v.PILOTHOUSE_MODE === "standalone",
      "ORY_KRATOS_URL makes no sense with PILOTHOUSE_MODE=standalone: unset one of them, since nobody signs in there.",
    ],
    [
      v.ORY_KRATOS_URL === undefined &&
        (v.PILOTHOUSE_ADMIN_EMAIL === undefined) !== (v.PILOTHOUSE_ADMIN_PASSWORD === undefined),
      "PILOTHOUSE_ADMIN_EMAIL and PILOTHOUSE_ADMIN_PASSWORD go together: set both or none.",
    ],
    [
      v.UPSTREAM_URL !== undefined && v.SESSION_SECRET === undefined,
      "SESSION_SECRET must be set when UPSTREAM_URL is, to at least 32 characters that all web processes share.",
    ],
    [
      v.KUBERNETES_CA_FILE !== undefined && v.KUBERNETES_API === undefined,
      "KUBERNETES_CA_FILE makes no sense without KUBERNETES_API: set it, or unset the file.",
    ],
    [
      (v.SMTP_HOST === undefined) !== (v.SMTP_FROM === undefined),
      "SMTP_HOST and SMTP_FROM go together: the mail server, and the address that mail comes from.",
    ],
    [
      (v.SMTP_USER === undefined) !== (v.SMTP_PASSWORD === undefined),
      "SMTP_USER and SMTP_PASSWORD go together: set both or none.",
    ],
    [
      v.PILOTHOUSE_DEMO === "1" && v.PILOTHOUSE_ADMIN_EMAIL !== undefined,
      "PILOTHOUSE_ADMIN_EMAIL makes no sense with PILOTHOUSE_DEMO: unset it, since the demo brings its own people and runs beside nobody else.",
    ],
    [
      v.DATABASE_URL !== undefined && v.PILOTHOUSE_KEY === undefined,
      "PILOTHOUSE_KEY must be set when DATABASE_URL is, to at least 32 characters that all control planes share.",
    ],
    [
      v.DATABASE_URL !== undefined && v.SESSION_SECRET === undefined && role !== "control-plane",
      "SESSION_SECRET must be set when DATABASE_URL is, to at least 32 characters that all web processes share.",
    ],
  ];
  const broken = rules.find(([holds]) => holds);
  if (broken) throw new StartError(broken[1]);
}

const INHERITED = [
  "PATH",
  "HOME",
  "TZ",
  "LANG",
  "NODE_OPTIONS",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "NO_COLOR",
  "PILOTHOUSE_UI",
];

/** What children get of our environment: the system's words, none of the product's secrets. */
export function inheritedEnvironment(
  mode: "production" | "development",
  env: Record<string, string | undefined> = process.env,
): NodeJS.ProcessEnv {
  const kept = INHERITED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  return { ...Object.fromEntries(kept), NODE_ENV: mode };
}
