import { isRole, type Role } from "#app/contract/access.ts";
import { cookieLine, nameOfLine, parseCookies } from "./cookies.ts";
import { env } from "./env.server.ts";
import { scope } from "./scope.server.ts";
import { cookieNames, deriveKey, joinCookie, seal, splitCookie, unseal } from "./seal.server.ts";

/** Who is signed in, as upstream said when it was last asked. */
export interface Session {
  id: string;
  name: string;
  email: string | null;
  roles: Role[];
}

const COOKIE = "pilothouse";
let key: Buffer | undefined;
const sessionKey = () => (key ??= deriveKey(env().sessionSecret, "session"));

/** The session remembered by the browser, or null. Good for a greeting; rights are always asked for anew. */
export function rememberedSession(request: Request): Session | null {
  const sealed = joinCookie(COOKIE, parseCookies(request.headers.get("cookie")));
  const value = sealed ? unseal(sessionKey(), COOKIE, sealed) : null;
  if (typeof value !== "object" || value === null) return null;
  const { id, name, email, roles } = value as Partial<Record<keyof Session, unknown>>;
  if (typeof id !== "string" || typeof name !== "string" || !Array.isArray(roles)) return null;
  const text = (part: unknown) => (typeof part === "string" ? part : null);
  return { id, name, email: text(email), roles: roles.filter(isRole) };
}

/** The Set-Cookie lines that make the browser remember the session (null: forget it) and drop what is left over. */
export function sessionCookies(request: Request, session: Session | null): string[] {
  const secure = env().isSecure;
  const written = session
    ? splitCookie(COOKIE, seal(sessionKey(), COOKIE, session))
    : new Map<string, string>();
  const stale = cookieNames(COOKIE, parseCookies(request.headers.get("cookie"))).filter(
    (name) => !written.has(name),
  );
  return [
    ...[...written].map(([name, value]) => cookieLine(name, value, { secure })),
    ...stale.map((name) => cookieLine(name, "", { secure, maxAge: 0 })),
  ];
}

/** Leaves the session on the answer to this request when it differs from what the browser remembers. */
export function rememberSession(request: Request, session: Session): void {
  const remembered = rememberedSession(request);
  if (remembered && JSON.stringify(remembered) === JSON.stringify(session)) return;
  for (const line of sessionCookies(request, session)) scope().cookies.set(nameOfLine(line), line);
}
