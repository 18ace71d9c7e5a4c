import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { GO_BACK } from "#app/contract/words/auth.ts";
import { identityMode } from "#app/features/identity/mode.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { cookieHeaders } from "#app/lib/headers.server.ts";
import { requireThisSite } from "#app/lib/origin.server.ts";
import { rememberedSession } from "#app/lib/session.server.ts";
import { AuthCard } from "#app/ui/frame/auth-card.tsx";
import { Button, LINK } from "#app/ui/button.tsx";

export const handle: Handle = { title: "Sign out" };

export const loader = ({ request }: LoaderFunctionArgs) => ({
  name: rememberedSession(request)?.name ?? null,
});

export async function action({ request }: ActionFunctionArgs) {
  requireThisSite(request);
  return redirect("/login", { headers: cookieHeaders(await identityMode().signOut(request)) });
}

/** The user menu posts here; this page is for whoever comes by a link, which must not sign anybody out. */
export default function LogoutPage() {
  const { name } = useLoaderData<typeof loader>();
  return (
    <AuthCard
      title="Sign out"
      foot={
        <Link to="/" className={LINK}>
          {GO_BACK}
        </Link>
      }
    >
      <Form method="post" className="grid gap-4">
        <p>{name ? `You are signed in as ${name}.` : "Sign out of this browser?"}</p>
        <Button look="primary">Sign out</Button>
      </Form>
    </AuthCard>
  );
}
