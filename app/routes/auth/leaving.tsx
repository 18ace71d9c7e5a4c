import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { LEAVING_TITLE } from "#app/contract/words/auth.ts";
import { leavingTo } from "#app/features/identity/leaving.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { AuthCard } from "#app/ui/frame/auth-card.tsx";
import { GoOn } from "#app/ui/go-on.tsx";

export const handle: Handle = { title: LEAVING_TITLE };

/** The way to a provider of sign-in elsewhere, out of a form (see `leavingPath`). */
export function loader({ request }: LoaderFunctionArgs) {
  const to = leavingTo(new URL(request.url).searchParams.get("to") ?? "");
  if (to === null) throw new Response("This way is not open any more: begin again.", { status: 410 });
  return { to, host: new URL(to).host };
}

export default function LeavingPage() {
  const { to, host } = useLoaderData<typeof loader>();
  return (
    <AuthCard title={LEAVING_TITLE}>
      <GoOn to={to}>Continue to {host}</GoOn>
    </AuthCard>
  );
}
