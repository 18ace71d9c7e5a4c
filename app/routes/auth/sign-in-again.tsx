import { data, redirect, type ActionFunctionArgs } from "@remix-run/node";
import { useActionData } from "@remix-run/react";
import { LOGIN_TITLE } from "#app/contract/words/auth.ts";
import { signInAgain } from "#app/features/identity/sign-in-again.server.ts";
import { SignedOutPage } from "#app/features/identity/signed-out.tsx";
import type { Handle } from "#app/lib/handle.ts";
import { cookieHeaders } from "#app/lib/headers.server.ts";
import { requireThisSite } from "#app/lib/origin.server.ts";

export const handle: Handle = { title: LOGIN_TITLE };

/** There is nothing to see here without a form. */
export const loader = ({ request }: ActionFunctionArgs) => (request.method === "GET" ? redirect("/login") : null);

/**
 * Signs in whoever posted a form with an ended session. 307 sends the browser on to the form's own address with the same
 * body, scripts or not; that page takes the kept fields out of it and shows them (issue 5, deliver 10).
 */
export async function action({ request }: ActionFunctionArgs) {
  requireThisSite(request);
  const answer = await signInAgain(request);
  const headers = cookieHeaders(answer.cookies);
  if (answer.done) return redirect(answer.address, { status: answer.kept ? 307 : 303, headers });
  const { address, kept, flow } = answer;
  return data({ address, kept, isTooLong: false, form: flow }, { status: 400, headers });
}

export default function SignInAgainPage() {
  const answer = useActionData<typeof action>();
  return answer ? <SignedOutPage {...answer} /> : null;
}
