import { redirect } from "@remix-run/node";
import { isRole, may, type Permission } from "#app/contract/access.ts";
import { featureSwitch, type Feature } from "#app/contract/features.ts";
import { Properties, Whoami } from "#app/contract/rows/people.ts";
import { UNAUTHORIZED } from "#app/contract/words/auth.ts";
import { createApi } from "./api.server.ts";
import { parseCookies } from "./cookies.ts";
import { requireThisSite } from "./origin.server.ts";
import { pathOf } from "./return-to.ts";
import { oncePerRequest } from "./scope.server.ts";
import { rememberSession, sessionCookies, type Session } from "./session.server.ts";
import { UpstreamError } from "./upstream-error.ts";
import { upstreamFetch } from "./upstream.server.ts";

/** The identity service's cookie, which is the credential sent upstream. */
const CREDENTIAL = "ory_kratos_session";

/**
 * First line of every loader and action. It is the only source of an `api`, so a page that forgot to ask for
 * permission has nothing to fetch with. Refuses writes from other sites (403), sends strangers to sign in, refuses
 * who may not (403) and hides what is switched off (404). `"signed-in"` asks for nothing but a session.
 */
export async function authorize(
  { request }: { request: Request },
  permission: Permission | "signed-in",
  { feature }: { feature?: Feature } = {},
) {
  requireThisSite(request);
  const user = await currentUser(request);
  const can = (other: Permission) => may(user.roles, other);
  if (permission !== "signed-in" && !can(permission)) throw new Response(UNAUTHORIZED, { status: 403 });
  if (feature && !(await features(request))(feature)) throw new Response("Not found", { status: 404 });
  return {
    api: createApi(request),
    user,
    can,
    /** Which features are on (specification 1 §6); asked for at most once per request, and only when needed. */
    features: () => features(request),
  };
}

/** Who is asking, roles read anew, once per request. Redirects whoever is not signed in, or not far enough. */
function currentUser(request: Request): Promise<Session> {
  return oncePerRequest("whoami", async () => {
    if (!parseCookies(request.headers.get("cookie")).has(CREDENTIAL)) throw signIn(request);
    const response = await upstreamFetch(request, "/auth/whoami");
    if (response.status === 401) throw signIn(request);
    if (response.status === 403 || response.status === 422) throw signIn(request, { aal: "aal2" });
    if (!response.ok) throw new UpstreamError(response.status, "The session could not be checked.");
    const { user, roles } = Whoami.parse(await response.json()).payload;
    const session: Session = {
      id: user.id,
      name: user.name || user.email || "",
      email: user.email ?? null,
      avatar: user.avatar ?? null,
      roles: [...new Set((roles ?? []).filter(isRole))].sort(),
    };
    rememberSession(request, session);
    return session;
  });
}

function features(request: Request): Promise<(feature: Feature) => boolean> {
  return oncePerRequest("features", async () => {
    const properties = await createApi(request).call("/properties", Properties.nullable());
    return featureSwitch(properties ?? []);
  });
}

/** To the sign-in page, with the way back; a first sign-in also drops what the browser remembers. */
function signIn(request: Request, extra: { aal?: "aal2" } = {}): Response {
  const headers = new Headers();
  if (!extra.aal) for (const line of sessionCookies(request, null)) headers.append("set-cookie", line);
  return redirect(`/login?${new URLSearchParams({ ...extra, return_to: pathOf(request) })}`, { headers });
}
