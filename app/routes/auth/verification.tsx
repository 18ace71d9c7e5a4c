import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { GO_BACK, VERIFICATION_TITLE } from "#app/contract/words/auth.ts";
import { FlowForm } from "#app/features/identity/flow-form.tsx";
import { fillIn } from "#app/features/identity/flow-view.ts";
import { identityMode } from "#app/features/identity/mode.server.ts";
import { verificationPath, verificationSearch } from "#app/features/identity/paths.ts";
import type { Handle } from "#app/lib/handle.ts";
import { cookieHeaders } from "#app/lib/headers.server.ts";
import { requireThisSite } from "#app/lib/origin.server.ts";
import { safeReturnTo } from "#app/lib/return-to.ts";
import { AuthCard } from "#app/ui/frame/auth-card.tsx";
import { LONE_LINK } from "#app/ui/button.tsx";

export const handle: Handle = { title: VERIFICATION_TITLE };

/** The link of the mail brings the code along: it is filled in and sent by a press, since scanners follow links. */
export async function loader({ request }: LoaderFunctionArgs) {
  const search = verificationSearch.read(request);
  const { flow, cookies } = await identityMode().begin("verification", request);
  const back = safeReturnTo(search.return_to) ?? "/";
  return data(
    { flow: fillIn(flow, { code: search.code }), back, search: { return_to: search.return_to } },
    { headers: cookieHeaders(cookies) },
  );
}

export async function action({ request }: ActionFunctionArgs) {
  requireThisSite(request);
  const answer = await identityMode().submit("verification", request);
  const headers = cookieHeaders(answer.cookies);
  if (!answer.done) return data({ flow: answer.flow }, { status: 400, headers });
  return redirect(answer.to ?? verificationPath(), { headers });
}

export default function VerificationPage() {
  const { flow: begun, back, search } = useLoaderData<typeof loader>();
  const flow = useActionData<typeof action>()?.flow ?? begun;
  return (
    <AuthCard
      title={VERIFICATION_TITLE}
      foot={
        <Link to={back} className={LONE_LINK}>
          {GO_BACK}
        </Link>
      }
    >
      <FlowForm flow={flow} action={verificationPath({ ...search, flow: flow.id })} />
    </AuthCard>
  );
}
