import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { LOGIN_AAL2_TITLE, LOGIN_TITLE, RESET_PASSWORD } from "#app/contract/words/auth.ts";
import { DemoPeople } from "#app/features/identity/demo-people.tsx";
import { demoSignIn } from "#app/features/identity/demo.server.ts";
import { answerGivenCredentials } from "#app/features/identity/given-credentials.server.ts";
import { FlowForm } from "#app/features/identity/flow-form.tsx";
import { identityMode } from "#app/features/identity/mode.server.ts";
import { loginPath, loginSearch, recoveryPath } from "#app/features/identity/paths.ts";
import type { Handle } from "#app/lib/handle.ts";
import { cookieHeaders } from "#app/lib/headers.server.ts";
import { requireThisSite } from "#app/lib/origin.server.ts";
import { safeReturnTo } from "#app/lib/return-to.ts";
import { AuthCard } from "#app/ui/frame/auth-card.tsx";
import { LONE_LINK } from "#app/ui/button.tsx";

export const handle: Handle = {
  title: (data) => (data as { title?: string } | undefined)?.title ?? LOGIN_TITLE,
};

export async function loader({ request }: LoaderFunctionArgs) {
  const given = await answerGivenCredentials(request);
  if (given) throw given;
  const search = loginSearch.read(request);
  const { flow, title, cookies } = await identityMode().begin("login", request);
  return data(
    { flow, search, title: title ?? LOGIN_TITLE, demo: demoSignIn() },
    { headers: cookieHeaders(cookies) },
  );
}

export async function action({ request }: ActionFunctionArgs) {
  requireThisSite(request);
  const answer = await identityMode().submit("login", request);
  const headers = cookieHeaders(answer.cookies);
  if (!answer.done) return data({ flow: answer.flow }, { status: 400, headers });
  return redirect(answer.to ?? safeReturnTo(loginSearch.read(request).return_to) ?? "/", { headers });
}

export default function LoginPage() {
  const { flow: begun, search, title, demo } = useLoaderData<typeof loader>();
  const flow = useActionData<typeof action>()?.flow ?? begun;
  const self = loginPath({ ...search, flow: flow.id });
  return (
    <AuthCard title={title} foot={title === LOGIN_TITLE ? null : <AnotherWay />}>
      <FlowForm flow={flow} action={self} />
      {title === LOGIN_AAL2_TITLE ? null : (
        <Link to={recoveryPath({ return_to: search.return_to })} className={`${LONE_LINK} text-xs`}>
          {RESET_PASSWORD}
        </Link>
      )}
      {demo && title === LOGIN_TITLE ? <DemoPeople demo={demo} flow={flow} action={self} /> : null}
    </AuthCard>
  );
}

/** Whoever is half signed in and cannot go on. */
function AnotherWay() {
  return (
    <Link to="/logout" className={LONE_LINK}>
      Sign out, to begin anew
    </Link>
  );
}
