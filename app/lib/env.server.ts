import { readHosted, type HostedConfig } from "./hosted/config.server.ts";

/**
 * The only reader of the environment in the web process (Remix's build and the preload around it). The supervisor has
 * checked the values and always sets them; a web started by hand gets one sentence that names what is missing.
 */
export interface WebEnv {
  /** The backend's root, without `/api` and without a trailing slash; empty where each organisation has its own. */
  upstreamUrl: string;
  /** The provider people sign in with instead of our own flows; null: there is none. */
  hosted: HostedConfig | null;
  /** The public API of an Ory Kratos elsewhere, without a trailing slash; null: the identity service is upstream's own. */
  kratosUrl: string | null;
  /** Encrypts and signs our own cookies; the same for all replicas. */
  sessionSecret: string;
  /** The address people type, when it is known. */
  publicUrl: URL | null;
  /** Reverse proxies in front of us whose X-Forwarded-For counts. */
  trustProxy: number;
  /** Cookies are Secure and HSTS is sent when people reach us by https. */
  isSecure: boolean;
  /** Log lines for machines instead of words. */
  jsonLogs: boolean;
  /** Only the page of checks, without a session; upstream is asked without credentials. */
  isStandalone: boolean;
  /** The sign-in page lists the people of the demo, with their password. */
  isDemo: boolean;
  /** `/ui` shows the design system: in development, and where a test or a picture asks for it (PILOTHOUSE_UI=1). */
  showsUi: boolean;
}

/** Throws an Error with one sentence when a value is missing or wrong. */
export function readWebEnv(variables: Readonly<Record<string, string | undefined>>): WebEnv {
  const required = (name: string): string => {
    const value = variables[name];
    if (!value) throw new Error(`${name} is not set; start the product with npm start, which sets it.`);
    return value;
  };
  const address = (name: string, value: string): URL => {
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url?.protocol !== "http:" && url?.protocol !== "https:")
      throw new Error(`${name} must be an http or https address such as http://127.0.0.1:8080.`);
    return url;
  };
  const trustProxy = variables["TRUST_PROXY"] ?? "0";
  if (!/^\d{1,3}$/.test(trustProxy))
    throw new Error("TRUST_PROXY must be a number of proxies such as 0 or 1.");
  const publicUrl = variables["PUBLIC_URL"] ? address("PUBLIC_URL", variables["PUBLIC_URL"]) : null;
  const hosted = readHosted(variables);
  const upstreamUrl = hosted?.upstreams ? "" : required("UPSTREAM_URL");
  return {
    upstreamUrl: upstreamUrl && address("UPSTREAM_URL", upstreamUrl).href.replace(/\/+$/, ""),
    hosted,
    kratosUrl: variables["ORY_KRATOS_URL"]
      ? address("ORY_KRATOS_URL", variables["ORY_KRATOS_URL"]).href.replace(/\/+$/, "")
      : null,
    sessionSecret: required("SESSION_SECRET"),
    publicUrl,
    trustProxy: Number(trustProxy),
    isSecure: publicUrl?.protocol === "https:",
    jsonLogs: variables["LOG_FORMAT"] === "json",
    isStandalone: variables["PILOTHOUSE_MODE"] === "standalone",
    isDemo: variables["PILOTHOUSE_DEMO"] === "1",
    showsUi: variables["NODE_ENV"] === "development" || variables["PILOTHOUSE_UI"] === "1",
  };
}

let known: WebEnv | undefined;

/** The environment of this process, read once when first asked for. */
export const env = (): WebEnv => (known ??= readWebEnv(process.env));
