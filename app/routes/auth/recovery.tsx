import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { GO_BACK, RECOVERY_TITLE } from "#app/contract/words/auth.ts";
import { FlowForm } from "#app/features/identity/flow-form.tsx";
import { identityMode } from "#app/features/identity/mode.server.ts";
import { loginPath, recoveryPath, recoverySearch } from "#app/features/identity/paths.ts";
import type { Handle } from "#app/lib/handle.ts";
import { cookieHeaders } from "#app/lib/headers.server.ts";
import { requireThisSite } from "#app/lib/origin.server.ts";
import { redirectWithToast } from "#app/lib/toast.server.ts";
import { AuthCard } from "#app/ui/frame/auth-card.tsx";
import { Button, LINK } from "#app/ui/button.tsx";

export const handle: Handle = { title: RECOVERY_TITLE };

export async function loader({ request }: LoaderFunctionArgs) {
  const { settings, token } = recoverySearch.read(request);
  if (!settings) return data({ step: token ? ("link" as const) : ("ask" as const), flow: null });
  const { flow, cookies } = await identityMode().begin("settings", request);
  return data({ step: "password" as const, flow }, { headers: cookieHeaders(cookies) });
}

export async function action({ request }: ActionFunctionArgs) {
  requireThisSite(request);
  const { settings, flow, token } = recoverySearch.read(request);
  if (!settings) {
    const recovered = await identityMode().recover(request, { flow, token });
    return redirect(recoveryPath({ settings: recovered.settings }), {
      headers: cookieHeaders(recovered.cookies),
    });
  }
  const answer = await identityMode().submit("settings", request);
  const headers = cookieHeaders(answer.cookies);
  if (!answer.done) return data({ flow: answer.flow }, { status: 400, headers });
  return redirectWithToast("/", "Your password has been changed", { headers });
}

/** Three steps: how to get a link, spending it (by a button, since mail scanners follow links), the new password. */
export default function RecoveryPage() {
  const { step, flow: begun } = useLoaderData<typeof loader>();
  const flow = useActionData<typeof action>()?.flow ?? begun;
  return (
    <AuthCard title={RECOVERY_TITLE} foot={<GoBack />}>
      {flow ? <FlowForm flow={flow} action={recoveryPath({ settings: flow.id })} /> : null}
      {step === "link" ? (
        <Form method="post" className="grid gap-4">
          <p>This link signs you in once, to choose a new password.</p>
          <Button look="primary">Continue</Button>
        </Form>
      ) : null}
      {step === "ask" ? (
        <p>
          Ask whoever runs this installation for a recovery link. They print one with{" "}
          <code className="font-mono text-xs">npm run reset-password -- EMAIL</code>.
        </p>
      ) : null}
    </AuthCard>
  );
}

function GoBack() {
  return (
    <Link to={loginPath()} className={LINK}>
      {GO_BACK}
    </Link>
  );
}
