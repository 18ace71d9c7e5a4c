import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { LoaderCircle } from "lucide-react";
import {
  NO_ORGANIZATION,
  NO_ORGANIZATION_TITLE,
  PROVISIONING_TITLE,
  provisioningWords,
} from "#app/contract/words/hosted.ts";
import { HostedFrame } from "#app/features/identity/hosted/hosted-frame.tsx";
import { hostedPerson } from "#app/features/identity/hosted/person.server.ts";
import { loginPath } from "#app/features/identity/paths.ts";
import { authorize } from "#app/lib/authorize.server.ts";
import { env } from "#app/lib/env.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { PROVISIONING_PATH } from "#app/lib/hosted/whoami.server.ts";
import { safeReturnTo } from "#app/lib/return-to.ts";
import { Empty } from "#app/ui/empty.tsx";
import { Poll } from "#app/ui/poll.tsx";

/** How often the page looks whether the backend is there, seconds. */
const LOOK_AGAIN = 10;

export const handle: Handle = { title: PROVISIONING_TITLE };

/** Specification 1 §2, §8: an organisation whose backend is not there (yet). Goes on as soon as whoami is answered. */
export async function loader(args: LoaderFunctionArgs) {
  if (!env().hosted) throw new Response("Not found", { status: 404 });
  const back = safeReturnTo(new URL(args.request.url).searchParams.get("return_to")) ?? "/";
  const person = await hostedPerson(args.request);
  if (!person) throw redirect(loginPath({ return_to: back }));
  try {
    await authorize(args, "signed-in");
  } catch (thrown) {
    const to = thrown instanceof Response ? thrown.headers.get("location") : null;
    if (!to?.startsWith(PROVISIONING_PATH)) throw thrown;
    return { person };
  }
  throw redirect(back);
}

export default function ProvisioningPage() {
  const { person } = useLoaderData<typeof loader>();
  const { chosen, all } = person.organizations;
  const organization = all.find(({ id }) => id === chosen);
  return (
    <HostedFrame person={person}>
      <div role="status">
        {organization ? (
          <Empty
            title={PROVISIONING_TITLE}
            heading="h1"
            mark={<LoaderCircle className="w-12 animate-turn" />}
          >
            {provisioningWords(organization.name)}
          </Empty>
        ) : (
          <Empty title={NO_ORGANIZATION_TITLE} heading="h1">
            {NO_ORGANIZATION}
          </Empty>
        )}
      </div>
      <Poll seconds={LOOK_AGAIN} />
    </HostedFrame>
  );
}
