import type { Session } from "@ory/client";

/** One session of a person, as their own page lists it. Instants are ISO 8601. */
export interface SessionLine {
  id: string;
  /** The browser that asks. */
  isHere: boolean;
  signedInAt: string | null;
  expiresAt: string | null;
  /** "password, then authenticator app". */
  methods: string;
  /** What is known of the browser and its address; empty when nothing is. */
  device: string;
}

/** How the public API's methods are called on a page. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ["password", "password"],
  ["code", "code by e-mail"],
  ["code_recovery", "recovery code"],
  ["link_recovery", "recovery link"],
  ["oidc", "social sign in"],
  ["saml", "single sign-on"],
  ["totp", "authenticator app"],
  ["lookup_secret", "backup code"],
  ["webauthn", "security key"],
  ["passkey", "passkey"],
]);

/** A session of the public API reduced to a line; unknown methods keep their name. */
export function sessionLine(session: Session, isHere: boolean): SessionLine {
  const methods = (session.authentication_methods ?? []).map(
    ({ method }) => METHODS.get(String(method)) ?? method,
  );
  const { user_agent, ip_address, location } = session.devices?.[0] ?? {};
  return {
    id: session.id,
    isHere,
    signedInAt: session.authenticated_at ?? null,
    expiresAt: session.expires_at ?? null,
    methods: [...new Set(methods)].join(", then "),
    device: [browserName(user_agent ?? ""), ip_address, location].filter(Boolean).join(" · "),
  };
}

const BROWSERS: [name: string, mark: RegExp][] = [
  ["Edge", /\bEdg(e|A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bSafari\//],
];
const SYSTEMS: [name: string, mark: RegExp][] = [
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Android", /Android/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X|Macintosh/],
  ["ChromeOS", /CrOS/],
  ["Linux", /Linux|X11/],
];

/** "Firefox on Windows"; anything else by its first word. Agents lie, so this is a hint and no more. */
export function browserName(agent: string): string {
  const known = (list: [string, RegExp][]) => list.find(([, mark]) => mark.test(agent))?.[0];
  const [browser, system] = [known(BROWSERS), known(SYSTEMS)];
  if (browser) return system ? `${browser} on ${system}` : browser;
  return agent.split(/[\s/]/)[0]?.slice(0, 40) ?? "";
}
