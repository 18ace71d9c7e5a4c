import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { GO_BACK, PROFILE_TITLE } from "#app/contract/words/auth.ts";
import { FlowMessages } from "#app/features/identity/flow-form.tsx";
import { identityMode } from "#app/features/identity/mode.server.ts";
import { profilePath, profileSearch } from "#app/features/identity/paths.ts";
import { ProfileSections } from "#app/features/identity/profile-sections.tsx";
import { SessionList } from "#app/features/identity/session-list.tsx";
import { authorize } from "#app/lib/authorize.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { cookieHeaders } from "#app/lib/headers.server.ts";
import { safeReturnTo } from "#app/lib/return-to.ts";
import { redirectWithToast } from "#app/lib/toast.server.ts";
import { LONE_LINK } from "#app/ui/button.tsx";

export const handle = { title: PROFILE_TITLE, crumb: { label: PROFILE_TITLE } } satisfies Handle;

export async function loader(args: LoaderFunctionArgs) {
  await authorize(args, "signed-in");
  const { return_to } = profileSearch.read(args.request);
  const { flow, cookies } = await identityMode().begin("settings", args.request);
  return data(
    {
      flow,
      sessions: await identityMode().sessions(args.request),
      back: safeReturnTo(return_to) ?? "/",
      search: { return_to },
      now: Date.now(),
    },
    { headers: cookieHeaders(cookies) },
  );
}

export async function action(args: ActionFunctionArgs) {
  const { request } = args;
  await authorize(args, "signed-in");
  const ended = await endSessions(request);
  if (ended) return ended;
  const answer = await identityMode().submit("settings", request);
  const headers = cookieHeaders(answer.cookies);
  if (!answer.done) return data({ flow: answer.flow }, { status: 400, headers });
  return redirect(answer.to ?? profilePath(), { headers });
}

/** The form of the list of sessions; null when another was posted. */
async function endSessions(request: Request): Promise<Response | null> {
  const form = await request
    .clone()
    .formData()
    .catch(() => null);
  const intent = form?.get("intent");
  if (intent !== "end-session" && intent !== "end-other-sessions") return null;
  const id = intent === "end-session" ? String(form?.get("session") ?? "") : null;
  const isEnded = await identityMode().endSession(request, id);
  const to = profilePath(profileSearch.read(request));
  if (!isEnded) return redirectWithToast(to, "That session had ended already");
  return redirectWithToast(to, id === null ? "All other sessions have ended" : "The session has ended");
}

/** Specification 1 §2: what somebody may change about themselves, section by section, and where they are signed in. */
export default function ProfilePage() {
  const { flow: begun, sessions, back, search, now } = useLoaderData<typeof loader>();
  const flow = useActionData<typeof action>()?.flow ?? begun;
  const self = profilePath({ ...search, flow: flow.id });
  return (
    <div className="mx-auto grid max-w-[64rem] grid-cols-[minmax(0,1fr)] content-start gap-4 px-5 pt-4 pb-12 max-sm:gap-3 max-sm:p-3 max-sm:pb-12">
      <Link to={back} className={LONE_LINK}>
        {GO_BACK}
      </Link>
      {flow.messages.length > 0 ? (
        <div className="sticky top-[calc(var(--topbar-height)+0.5rem)] z-(--layer-sticky) grid gap-2">
          <FlowMessages messages={flow.messages} />
        </div>
      ) : null}
      <ProfileSections flow={flow} action={self} />
      <SessionList sessions={sessions} now={now} action={self} />
    </div>
  );
}
