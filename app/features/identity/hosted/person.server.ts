import { env } from "#app/lib/env.server.ts";
import { hostedSession } from "#app/lib/hosted/refresh.server.ts";
import type { HostedSession } from "#app/lib/hosted/session.server.ts";
import type { HostedPerson } from "./hosted-frame.tsx";
import type { Organizations } from "./organization-switcher.tsx";

const organizationsOf = ({ organization, organizations }: HostedSession): Organizations => ({
  chosen: organization,
  all: organizations.map(({ id, name }) => ({ id, name })),
});

/** What the organisation switcher shows; null where nobody signs in with a hosted provider. */
export async function organizations(request: Request): Promise<Organizations | null> {
  const session = env().hosted ? await hostedSession(request) : null;
  return session && organizationsOf(session);
}

/** Who is signed in, without asking a backend; null when nobody is, or the way to sign in is another. */
export async function hostedPerson(request: Request): Promise<HostedPerson | null> {
  const session = env().hosted ? await hostedSession(request) : null;
  return session && { name: session.name, organizations: organizationsOf(session) };
}
