import { data, redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { LOGIN_TITLE } from "#app/contract/words/auth.ts";
import { finishSignIn } from "#app/features/identity/hosted/mode.server.ts";
import { loginPath } from "#app/features/identity/paths.ts";
import { env } from "#app/lib/env.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { cookieHeaders } from "#app/lib/headers.server.ts";
import { hostedSession } from "#app/lib/hosted/refresh.server.ts";
import { AuthCard } from "#app/ui/frame/auth-card.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";

export const handle: Handle = { title: LOGIN_TITLE };

/** Where the hosted provider sends people back to. Whoever comes by "Back" and is signed in by now goes on. */
export async function loader({ request }: LoaderFunctionArgs) {
  if (!env().hosted) throw new Response("Not found", { status: 404 });
  const finished = await finishSignIn(request);
  const headers = cookieHeaders(finished.cookies);
  if ("to" in finished) return redirect(finished.to, { headers });
  if (await hostedSession(request)) return redirect(finished.returnTo, { headers });
  const { failed, returnTo } = finished;
  return data({ failed, again: loginPath({ return_to: returnTo }) }, { status: 400, headers });
}

export default function CallbackPage() {
  const { failed, again } = useLoaderData<typeof loader>();
  return (
    <AuthCard title={LOGIN_TITLE}>
      <Notice tone="unhealthy">{failed}</Notice>
      <ButtonLink to={again} reloadDocument look="primary" className="mt-2">
        Try again
      </ButtonLink>
    </AuthCard>
  );
}
