import { redirect } from "@remix-run/node";
import { DEMO_PEOPLE } from "#app/contract/words/demo.ts";
import { parseCookies } from "#app/lib/cookies.ts";
import { env } from "#app/lib/env.server.ts";
import { cookieHeaders } from "#app/lib/headers.server.ts";
import { pathOf, safeReturnTo } from "#app/lib/return-to.ts";
import { siteOrigin } from "#app/lib/origin.server.ts";
import { identityMode } from "./mode.server.ts";
import { loginPath, loginSearch } from "./paths.ts";

const USER = "username";
const PASSWORD = "password";

/**
 * What to answer a sign-in page that was asked for with a name and a password in its address (specification 1 §2). The
 * demo signs its own people in; for anybody else they are ignored. In any case they leave the address at once, before
 * there is a page, a history entry or a referrer with them. Null: there are none.
 */
export async function answerGivenCredentials(request: Request): Promise<Response | null> {
  const url = new URL(pathOf(request), "http://x");
  const [user, password] = [url.searchParams.get(USER), url.searchParams.get(PASSWORD)];
  if (user === null && password === null) return null;
  for (const name of [USER, PASSWORD]) url.searchParams.delete(name);
  const clean = url.pathname + url.search;
  const isDemo = env().isDemo && DEMO_PEOPLE.some(({ email }) => email === user?.toLowerCase());
  if (!isDemo || !user || !password) return redirect(clean);
  return signIn(request, clean, { identifier: user, password });
}

/** The demo's own form, filled in and sent. Refused, it is the page with its flow and the message. */
async function signIn(request: Request, clean: string, typed: { identifier: string; password: string }) {
  const { return_to } = loginSearch.read(request);
  const page = new Request(new URL(clean, request.url), { headers: request.headers });
  const { flow, cookies } = await identityMode().begin("login", page);
  const hidden = flow.fields.flatMap((field) => (field.kind === "hidden" ? [[field.name, field.value]] : []));
  const headers = new Headers(page.headers);
  headers.set("cookie", withCookies(page.headers.get("cookie"), cookies));
  headers.set("origin", siteOrigin(request));
  headers.set("content-type", "application/x-www-form-urlencoded");
  const self = loginPath({ return_to, flow: flow.id });
  const form = new Request(new URL(self, request.url), {
    method: "POST",
    headers,
    body: new URLSearchParams([...hidden, ...Object.entries(typed), ["method", "password"]] as [
      string,
      string,
    ][]),
  });
  const answer = await identityMode().submit("login", form);
  const to = answer.done ? (safeReturnTo(return_to) ?? "/") : self;
  return redirect(to, { headers: cookieHeaders([...cookies, ...answer.cookies]) });
}

/** The Cookie header a browser would send after it got these lines. */
function withCookies(header: string | null, lines: readonly string[]): string {
  const jar = parseCookies(header);
  for (const line of lines)
    for (const [name, value] of parseCookies(line.split(";")[0] ?? "")) jar.set(name, value);
  return [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
}
