import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { LifeBuoy } from "lucide-react";
import {
  BAD_SESSION,
  ERROR_OCCURRED,
  FLOW_ERRORS,
  GO_BACK,
  UNKNOWN_ERROR,
} from "#app/contract/words/auth.ts";
import { HostedFrame, type HostedPerson } from "#app/features/identity/hosted/hosted-frame.tsx";
import { hostedPerson } from "#app/features/identity/hosted/person.server.ts";
import { identityMode } from "#app/features/identity/mode.server.ts";
import { errorSearch } from "#app/features/identity/paths.ts";
import type { Handle } from "#app/lib/handle.ts";
import { AuthCard } from "#app/ui/frame/auth-card.tsx";
import { ButtonLink, LONE_LINK } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";

export const handle: Handle = { title: ERROR_OCCURRED };

/** Specification 1 §2: `id` is an error the identity service kept, `error_code` one of the hosted provider. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { id, error_code } = errorSearch.read(request);
  const person = await hostedPerson(request).catch(() => null);
  if (!id)
    return { words: error_code === "BAD_SESSION" ? BAD_SESSION : UNKNOWN_ERROR, details: null, person };
  const error = await identityMode().findError(request, id);
  if (error === null) throw redirect("/");
  return { words: wordsOf(error), person, details: JSON.stringify(error, null, 2) };
}

/** The sentence for its id, else the service's own; null where it has none. */
function wordsOf(error: unknown): string | null {
  const { id, reason, message } = error as { id?: unknown; reason?: unknown; message?: unknown };
  const own = [reason, message].find((text) => typeof text === "string" && text !== "");
  return FLOW_ERRORS.get(String(id)) ?? (own as string | undefined) ?? null;
}

export default function FlowErrorPage() {
  const { words, details, person } = useLoaderData<typeof loader>();
  if (person) return <HostedError person={person} words={words ?? UNKNOWN_ERROR} />;
  return (
    <AuthCard
      title={ERROR_OCCURRED}
      foot={
        <span className="flex gap-4">
          <Link to="/" className={LONE_LINK}>
            {GO_BACK}
          </Link>
          {words === BAD_SESSION ? (
            <Link to="/logout" className={LONE_LINK}>
              Sign out
            </Link>
          ) : null}
        </span>
      }
    >
      {words ? <p role="alert">{words}</p> : null}
      {details ? (
        <pre className="rounded-md bg-sunken p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
          {details}
        </pre>
      ) : null}
    </AuthCard>
  );
}

/** Hosted mode: the organisation switcher and the user menu are the ways out (specification 1 §2). */
function HostedError({ person, words }: { person: HostedPerson; words: string }) {
  return (
    <HostedFrame person={person}>
      <div role="alert">
        <Empty
          title={ERROR_OCCURRED}
          heading="h1"
          mark={<LifeBuoy className="w-12" />}
          actions={
            <ButtonLink to="/" reloadDocument>
              {GO_BACK}
            </ButtonLink>
          }
        >
          {words}
        </Empty>
      </div>
    </HostedFrame>
  );
}
