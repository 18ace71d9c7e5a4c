/**
 * The hosted sign-in provider as the environment describes it: any OpenID Connect provider, with organisations. Read by
 * the web and, before it starts anything, by the supervisor. Pure.
 */
export interface HostedConfig {
  /** As the provider spells it, with or without a slash at its end. */
  issuer: string;
  clientId: string;
  /** null: a public client, which PKCE alone protects. */
  clientSecret: string | null;
  scopes: string;
  /** How the provider is asked to ask (`consent`, where it gives refresh tokens only then); null: as it likes. */
  prompt: string | null;
  /** The backend as the provider knows it: access tokens are asked for it. null: the ID token goes upstream. */
  audience: string | null;
  /** The claim that lists somebody's organisations, or the one a token is for. */
  organizationsClaim: string;
  /** Where to ask for them instead, with the access token. */
  organizationsUrl: string | null;
  /** Each organisation's own backend; null: one backend serves them all. */
  upstreams: Upstreams | null;
  /** The one organisation whose tokens our own control plane accepts; null: it asks for none. */
  organization: string | null;
  /** The claim in which `admin` makes an administrator of our own control plane. */
  roleClaim: string;
}
/** `{org}` in a template is the organisation's id; a table names each. */
export type Upstreams = { template: string } | { table: Readonly<Record<string, string>> };

type Variables = Readonly<Record<string, string | undefined>>;

/** What the environment says of a provider; null when it names none. Throws an Error of one sentence that names the variable. */
export function readHosted(variables: Variables): HostedConfig | null {
  const value = (name: string) => variables[name] || null;
  const issuer = value("OIDC_ISSUER");
  if (!issuer) {
    const stray = Object.keys(variables).find((name) => name.startsWith("OIDC_") && variables[name]);
    if (stray)
      throw new Error(`${stray} makes no sense without OIDC_ISSUER, the address of the sign-in provider.`);
    return null;
  }
  requireSafe("OIDC_ISSUER", issuer, "https://id.example.com");
  const clientId = value("OIDC_CLIENT_ID");
  if (!clientId)
    throw new Error("OIDC_CLIENT_ID must be set when OIDC_ISSUER is: what the provider knows Pilothouse by.");
  const scopes = value("OIDC_SCOPES") ?? "openid profile email offline_access";
  if (!scopes.split(/\s+/).includes("openid"))
    throw new Error("OIDC_SCOPES must contain openid, like `openid profile email offline_access`.");
  const organizationsUrl = value("OIDC_ORGANIZATIONS_URL");
  if (organizationsUrl)
    requireSafe("OIDC_ORGANIZATIONS_URL", organizationsUrl, "https://id.example.com/me/organizations");
  return {
    issuer,
    clientId,
    clientSecret: value("OIDC_CLIENT_SECRET"),
    scopes,
    prompt: value("OIDC_PROMPT"),
    audience: value("OIDC_AUDIENCE"),
    organizationsClaim: value("OIDC_ORGANIZATIONS_CLAIM") ?? "organizations",
    organizationsUrl,
    upstreams: readUpstreams(value("OIDC_UPSTREAMS")),
    organization: value("OIDC_ORGANIZATION"),
    roleClaim: value("OIDC_ROLE_CLAIM") ?? "role",
  };
}

function readUpstreams(text: string | null): Upstreams | null {
  if (!text) return null;
  if (!text.trimStart().startsWith("{")) {
    if (!text.includes("{org}") || !isAddress(text.replaceAll("{org}", "acme")))
      throw new Error(`OIDC_UPSTREAMS ${UPSTREAMS_FORM}`);
    return { template: trimmed(text) };
  }
  const table = parsed(text);
  const entries = typeof table === "object" && table !== null ? Object.entries(table) : [];
  const isTable = entries.length > 0 && entries.every(([, url]) => typeof url === "string" && isAddress(url));
  if (!isTable) throw new Error(`OIDC_UPSTREAMS ${UPSTREAMS_FORM}`);
  return { table: Object.fromEntries(entries.map(([id, url]) => [id, trimmed(String(url))])) };
}
const UPSTREAMS_FORM =
  'must be an address with {org} in it, like https://{org}.example.com/api, or a table like {"acme": "https://acme.example.com/api"}.';

const trimmed = (url: string) => url.replace(/\/+$/, "");

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false;
  const { protocol, username } = new URL(text);
  return (protocol === "https:" || protocol === "http:") && username === "";
}

/** Tokens and keys travel there: by https, or not over a network at all. */
function requireSafe(name: string, text: string, like: string): void {
  const isSafe = isAddress(text) && (text.startsWith("https:") || isLoopback(new URL(text)));
  if (!isSafe) throw new Error(`${name} must be an https address like ${like} (http only on this machine).`);
}

/** Is it this machine's own address? */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
