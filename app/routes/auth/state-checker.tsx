import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { authorize } from "#app/lib/authorize.server.ts";
import { loginPath } from "#app/features/identity/paths.ts";
import { safeReturnTo } from "#app/lib/return-to.ts";

/**
 * Where a call that was answered 401 leads (specification 1 §8): whoever is signed out signs in and goes back to
 * `return_to`; whoever is signed in, and was refused all the same, has a session that does not hold (facts: screens §2.5).
 */
export async function loader(args: LoaderFunctionArgs) {
  const back = safeReturnTo(new URL(args.request.url).searchParams.get("return_to")) ?? "/";
  try {
    await authorize(args, "signed-in");
  } catch (thrown) {
    const location = thrown instanceof Response ? thrown.headers.get("location") : null;
    if (!location?.startsWith("/login")) throw thrown;
    const { headers } = thrown as Response;
    const aal = new URL(location, "http://here").searchParams.get("aal") === "aal2" ? ("aal2" as const) : "";
    headers.set("location", loginPath({ return_to: back, aal }));
    throw thrown;
  }
  return redirect("/error?error_code=BAD_SESSION");
}

/** Never drawn; without a component Remix would answer a failure as bare text instead of the error page. */
export default function StateCheckerPage() {
  return null;
}
