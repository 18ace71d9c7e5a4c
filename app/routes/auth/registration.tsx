import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { REGISTRATION_TITLE, SIGN_IN } from "#app/contract/words/auth.ts";
import { FlowForm } from "#app/features/identity/flow-form.tsx";
import { identityMode } from "#app/features/identity/mode.server.ts";
import { loginPath, registrationPath, registrationSearch } from "#app/features/identity/paths.ts";
import type { Handle } from "#app/lib/handle.ts";
import { cookieHeaders } from "#app/lib/headers.server.ts";
import { requireThisSite } from "#app/lib/origin.server.ts";
import { safeReturnTo } from "#app/lib/return-to.ts";
import { AuthCard } from "#app/ui/frame/auth-card.tsx";
import { LINK } from "#app/ui/button.tsx";

export const handle: Handle = { title: REGISTRATION_TITLE };

export async function loader({ request }: LoaderFunctionArgs) {
  const search = registrationSearch.read(request);
  const { flow, cookies } = await identityMode().begin("registration", request);
  return data({ flow, search }, { headers: cookieHeaders(cookies) });
}

export async function action({ request }: ActionFunctionArgs) {
  requireThisSite(request);
  const answer = await identityMode().submit("registration", request);
  const headers = cookieHeaders(answer.cookies);
  if (!answer.done) return data({ flow: answer.flow }, { status: 400, headers });
  return redirect(answer.to ?? safeReturnTo(registrationSearch.read(request).return_to) ?? "/", { headers });
}

export default function RegistrationPage() {
  const { flow: begun, search } = useLoaderData<typeof loader>();
  const flow = useActionData<typeof action>()?.flow ?? begun;
  return (
    <AuthCard title={REGISTRATION_TITLE} foot={<Foot returnTo={search.return_to} />}>
      <FlowForm flow={flow} action={registrationPath({ ...search, flow: flow.id })} />
    </AuthCard>
  );
}

function Foot({ returnTo }: { returnTo: string }) {
  return (
    <>
      Have an account?{" "}
      <Link to={loginPath({ return_to: returnTo })} className={LINK}>
        {SIGN_IN}
      </Link>
    </>
  );
}
