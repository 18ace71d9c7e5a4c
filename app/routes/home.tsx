import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { UNAUTHORIZED } from "#app/contract/words/auth.ts";
import { authorize } from "#app/lib/authorize.server.ts";
import { NAV, visibleNav } from "./shell/nav.ts";

/**
 * `/` is the first page of the sidebar that the user may open. Specification 1 §2 says /topology, which is the first
 * entry once its page exists.
 */
export async function loader(args: LoaderFunctionArgs) {
  const { user, can, isOn } = await authorize(args, "signed-in");
  const [first] = visibleNav(NAV, { roles: user.roles, can, isOn }).entries;
  if (!first) throw new Response(UNAUTHORIZED, { status: 403 });
  return redirect(first.path);
}

/** Never drawn; without a component Remix would answer a refusal as bare text instead of the error page. */
export default function HomePage() {
  return null;
}
