import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { GO_BACK, RECOVERY_TITLE } from "#app/contract/words/auth.ts";
import { FlowForm } from "#app/features/identity/flow-form.tsx";
import { formsOf } from "#app/features/identity/flow-forms.ts";
import { identityMode } from "#app/features/identity/mode.server.ts";
import { loginPath, recoveryPath, recoverySearch } from "#app/features/identity/paths.ts";
import type { Handle } from "#app/lib/handle.ts";
import { cookieHeaders } from "#app/lib/headers.server.ts";
import { requireThisSite } from "#app/lib/origin.server.ts";
import { AuthCard } from "#app/ui/frame/auth-card.tsx";
import { Button, LONE_LINK } from "#app/ui/button.tsx";

export const handle: Handle = { title: RECOVERY_TITLE };

/** By a code that is mailed, or by a link that was handed over: `token` says which. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { token, return_to } = recoverySearch.read(request);
  if (token) return data({ flow: null, return_to });
  const { flow, cookies } = await identityMode().begin("recovery", request);
  return data({ flow, return_to }, { headers: cookieHeaders(cookies) });
}

export async function action({ request }: ActionFunctionArgs) {
  requireThisSite(request);
  const { flow, token } = recoverySearch.read(request);
  if (token) {
    const recovered = await identityMode().recover(request, { flow, token });
    return redirect(recovered.to, { headers: cookieHeaders(recovered.cookies) });
  }
  const answer = await identityMode().submit("recovery", request);
  const headers = cookieHeaders(answer.cookies);
  if (!answer.done) return data({ flow: answer.flow }, { status: 400, headers });
  return redirect(answer.to ?? recoveryPath(), { headers });
}

/** A link is spent by a button, since mail scanners follow links. */
export default function RecoveryPage() {
  const { flow: begun, return_to } = useLoaderData<typeof loader>();
  const flow = useActionData<typeof action>()?.flow ?? begun;
  return (
    <AuthCard
      title={RECOVERY_TITLE}
      foot={
        <Link to={loginPath({ return_to })} className={LONE_LINK}>
          {GO_BACK}
        </Link>
      }
    >
      {flow ? (
        <>
          <FlowForm flow={flow} action={recoveryPath({ flow: flow.id, return_to })} />
          {formsOf(flow).length === 0 ? <PrintedLink /> : null}
        </>
      ) : (
        <Form method="post" className="grid gap-4">
          <p>This link signs you in once, to choose a new password.</p>
          <Button look="primary">Continue</Button>
        </Form>
      )}
    </AuthCard>
  );
}

/** Where no code can be mailed. */
function PrintedLink() {
  return (
    <p>
      Whoever runs this installation can print a link for you with{" "}
      <code className="font-mono text-xs">npm run reset-password -- EMAIL</code>.
    </p>
  );
}
