import { redirect, redirectDocument, type ActionFunctionArgs } from "@remix-run/node";
import { env } from "#app/lib/env.server.ts";
import { cookieHeaders } from "#app/lib/headers.server.ts";
import { hostedSession } from "#app/lib/hosted/refresh.server.ts";
import { hostedCookies } from "#app/lib/hosted/session.server.ts";
import { requireThisSite } from "#app/lib/origin.server.ts";
import { postedForm } from "#app/lib/posted-form.server.ts";
import { sessionCookies } from "#app/lib/session.server.ts";

/** Specification 1 §2: where somebody lands who has chosen or made an organisation at the provider. */
export const loader = () => redirect("/");

/** The switcher: from now on calls go to that organisation's backend. Everything is loaded afresh. */
export async function action({ request }: ActionFunctionArgs) {
  if (!env().hosted) throw new Response("Not found", { status: 404 });
  requireThisSite(request);
  const session = await hostedSession(request);
  if (!session) return redirect("/login");
  const wanted = (await postedForm(request)).get("organization");
  if (!session.organizations.some(({ id }) => id === wanted))
    throw new Response("You do not belong to this organization.", { status: 403 });
  const cookies = hostedCookies(request, { ...session, organization: String(wanted) });
  return redirectDocument("/", { headers: cookieHeaders([...cookies, ...sessionCookies(request, null)]) });
}

/** Never drawn; without a component Remix would answer a refusal as bare text instead of the error page. */
export default function OrgsSwitchedPage() {
  return null;
}
