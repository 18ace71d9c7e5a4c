/** Signing in on the page whose form found the session ended (app/lib/signed-out.server.ts). */
import { safeReturnTo } from "#app/lib/return-to.ts";
import { KEPT_FIELD } from "#app/lib/signed-out.ts";
import type { FlowView } from "./flow-view.ts";
import { identityMode } from "./mode.server.ts";
import { loginPath } from "./paths.ts";

/** A request like this one, for another address of the same browser. */
function likewise(request: Request, path: string, form?: URLSearchParams): Request {
  const headers = new Headers(request.headers);
  for (const name of ["content-type", "content-length", "transfer-encoding"]) headers.delete(name);
  const { signal } = request;
  const url = new URL(path, request.url);
  return new Request(url, form ? { method: "POST", headers, body: form, signal } : { headers, signal });
}

/** A sign-in flow that leads back to `address`. */
export async function drawSignIn(
  request: Request,
  { address, aal }: { address: string; aal: "aal2" | null },
) {
  const path = loginPath({ return_to: address, aal: aal ?? "" });
  const { flow, cookies } = await identityMode().begin("login", likewise(request, path));
  return { form: flow satisfies FlowView as unknown, cookies };
}

export type SignedInAgain =
  | { done: true; address: string; kept: boolean; cookies: string[] }
  | { done: false; flow: FlowView | null; kept: string | null; address: string; cookies: string[] };

/** Judges the posted sign-in; what is carried along with it is not the identity service's business. */
export async function signInAgain(request: Request): Promise<SignedInAgain> {
  const form = await postedFields(request);
  const kept = form.get(KEPT_FIELD);
  form.delete(KEPT_FIELD);
  const { searchParams } = new URL(request.url);
  const address = safeReturnTo(searchParams.get("return_to")) ?? "/";
  const path = loginPath({ return_to: address, flow: searchParams.get("flow") ?? "" });
  try {
    const answer = await identityMode().submit("login", likewise(request, path, form));
    if (answer.done) return { done: true, address, kept: kept !== null, cookies: answer.cookies };
    return { done: false, flow: answer.flow, kept, address, cookies: answer.cookies };
  } catch (thrown) {
    const to = thrown instanceof Response ? thrown.headers.get("location") : null;
    // The flow was too old, or another one is to be used: it begins anew here, with what is carried along.
    if (!to?.startsWith("/login")) throw thrown;
    const begun = await drawSignIn(request, { address, aal: null });
    return { done: false, flow: begun.form as FlowView, kept, address, cookies: begun.cookies };
  }
}

/** The kept form is only carried through here: it is read where it came from. */
async function postedFields(request: Request): Promise<URLSearchParams> {
  const form = await request.formData().catch(() => new FormData());
  return new URLSearchParams(
    [...form].filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}
