import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useActionData } from "@remix-run/react";
import { LOGIN_TITLE, SIGN_IN } from "#app/contract/words/auth.ts";
import { loginPath, loginSearch } from "#app/features/identity/paths.ts";
import { signInAgain } from "#app/features/identity/sign-in-again.server.ts";
import { SignedOutPage } from "#app/features/identity/signed-out.tsx";
import type { Handle } from "#app/lib/handle.ts";
import { cookieHeaders } from "#app/lib/headers.server.ts";
import { requireThisSite } from "#app/lib/origin.server.ts";
import { LINK } from "#app/ui/button.tsx";
import { AuthCard } from "#app/ui/frame/auth-card.tsx";

export const handle: Handle = { title: LOGIN_TITLE };

/** There is nothing to see here without a form. Remix asks this after a refused sign-in too, which has its flow. */
export const loader = ({ request }: LoaderFunctionArgs) =>
  loginSearch.read(request).flow ? null : redirect(loginPath());

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
  if (answer) return <SignedOutPage {...answer} />;
  return (
    <AuthCard title={LOGIN_TITLE}>
      <Link to={loginPath()} className={LINK}>
        {SIGN_IN}
      </Link>
    </AuthCard>
  );
}
