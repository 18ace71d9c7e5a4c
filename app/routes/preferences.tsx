import { redirect, type ActionFunctionArgs } from "@remix-run/node";
import { requireThisSite } from "#app/lib/origin.server.ts";
import { postedForm } from "#app/lib/posted-form.server.ts";
import { changed, preferencesCookie, preferencesOf, PreferencesChange } from "#app/lib/preferences.server.ts";
import { safeReturnTo } from "#app/lib/return-to.ts";

/** Somebody came back here after signing in: there is nothing to see. */
export const loader = () => redirect("/");

/**
 * Keeps a preference in this browser and goes back to where it was changed (`return_to`). No session is asked for: a
 * theme is nobody's secret, and the sign-in page has one too.
 */
export async function action({ request }: ActionFunctionArgs) {
  requireThisSite(request);
  const form = await postedForm(request);
  const change = PreferencesChange.safeParse(Object.fromEntries(form));
  if (!change.success) throw new Response("This preference is not known.", { status: 400 });
  return redirect(safeReturnTo(String(form.get("return_to") ?? "")) ?? "/", {
    headers: { "Set-Cookie": preferencesCookie(changed(preferencesOf(request), change.data)) },
  });
}
