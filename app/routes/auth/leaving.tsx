import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useEffect } from "react";
import { LEAVING_TITLE } from "#app/contract/words/auth.ts";
import { leavingTo } from "#app/features/identity/leaving.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { AuthCard } from "#app/ui/frame/auth-card.tsx";
import { LINK } from "#app/ui/button.tsx";

export const handle: Handle = { title: LEAVING_TITLE };

/** The way to a provider of sign-in elsewhere, out of a form (see `leavingPath`). */
export function loader({ request }: LoaderFunctionArgs) {
  const to = leavingTo(new URL(request.url).searchParams.get("to") ?? "");
  if (to === null) throw new Response("This way is not open any more: begin again.", { status: 410 });
  return { to, host: new URL(to).host };
}

/** Goes on by itself, with a script and without; the link is for whoever has switched that off. */
export default function LeavingPage() {
  const { to, host } = useLoaderData<typeof loader>();
  useEffect(() => window.location.replace(to), [to]);
  return (
    <AuthCard title={LEAVING_TITLE}>
      <noscript>
        <meta httpEquiv="refresh" content={`0;url=${to}`} />
      </noscript>
      <a href={to} rel="noreferrer" className={LINK}>
        Continue to {host}
      </a>
    </AuthCard>
  );
}
