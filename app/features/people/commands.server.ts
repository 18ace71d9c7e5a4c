import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "@remix-run/node";
import { z } from "zod";
import { InvitationAnswer } from "#app/contract/rows/users.ts";
import { CHANGED, USER_WORDS } from "#app/contract/words/people.ts";
import type { Api } from "#app/lib/api.server.ts";
import { siteOrigin } from "#app/lib/origin.server.ts";
import { postedForm } from "#app/lib/posted-form.server.ts";
import { saying, type Refused } from "#app/lib/submit.server.ts";
import { redirectWithToast } from "#app/lib/toast.server.ts";
import { Conflict, FieldRefused, UpstreamError } from "#app/lib/upstream-error.ts";
import { ChosenUser, Invitee, type ChangedUser } from "./forms.server.ts";

const Nothing = z.unknown();

/** Changes a user; what is not in the form stays. Throws Conflict when somebody changed him since `seen`. */
export async function changeUser(
  api: Api,
  { id, firstName, lastName, email, role, active, hasActive, seen }: ChangedUser,
): Promise<void> {
  const body = {
    id,
    firstName,
    lastName,
    email,
    ...(role ? { role } : {}),
    ...(hasActive ? { active } : {}),
    ...(seen ? { seen } : {}),
  };
  try {
    await api.call("/people/update", Nothing, { method: "POST", body });
  } catch (error) {
    if (error instanceof UpstreamError && error.message === CHANGED) throw new Conflict(null);
    throw atField(error);
  }
}

/** What the control plane says of the address ("email: there is a user …") belongs under it. */
function atField(error: unknown): unknown {
  if (!(error instanceof UpstreamError)) return error;
  const [, first = "", rest = ""] = /^email: (.)(.*)$/.exec(error.message) ?? [];
  return first ? new FieldRefused(error.status, "email", first.toUpperCase() + rest) : error;
}

/** For good: sessions and tokens end at once, what the user did stays under the name. */
export const removeUser = (api: Api, id: string) => api.call(`/people/${id}`, Nothing, { method: "DELETE" });

export const revokeInvitation = (api: Api, id: string) =>
  api.call(`/ph/invitations/${id}`, Nothing, { method: "DELETE" });

/** What whoever invites gets: the link to hand on, this once, or what was wrong with the form. */
export type InviteAnswer = { invited: { name: string; link: string; isAgain: boolean } } | Refused;

/** Invites; with a mail server the link is on its way and the list is shown, without one it is shown, this once. */
export async function inviteUser(request: Request, api: Api, to: string) {
  const submission = parseWithZod(await postedForm(request), { schema: Invitee });
  if (submission.status !== "success") return refused(submission.reply(), 400);
  const name = `${submission.value.firstName} ${submission.value.lastName}`;
  return sent(request, submission, { name, to, isAgain: false }, () =>
    api.call("/auth/invite_user", InvitationAnswer, { method: "POST", body: submission.value }),
  );
}

/** A new link in place of the old one. */
export async function resendInvitation(
  request: Request,
  api: Api,
  { name, to }: { name: string; to: string },
) {
  const submission = parseWithZod(await postedForm(request), { schema: ChosenUser });
  if (submission.status !== "success") return refused(submission.reply(), 400);
  return sent(request, submission, { name, to, isAgain: true }, () =>
    api.call(`/ph/invitations/${submission.value.id}/resend`, InvitationAnswer, { method: "POST", body: {} }),
  );
}

async function sent(
  request: Request,
  submission: { reply(options: ReturnType<typeof saying>): Refused["result"] },
  { name, to, isAgain }: { name: string; to: string; isAgain: boolean },
  invite: () => Promise<z.output<typeof InvitationAnswer>>,
) {
  try {
    const { link, mailed } = await invite();
    if (mailed) return await redirectWithToast(to, USER_WORDS.invited(name));
    const absolute = new URL(link, siteOrigin(request)).href;
    return data<InviteAnswer>({ invited: { name, link: absolute, isAgain } });
  } catch (failure) {
    const error = atField(failure);
    if (!(error instanceof UpstreamError) || error.status >= 500) throw error;
    return refused(submission.reply(saying(error)), 422);
  }
}

const refused = (result: Refused["result"], status: number) =>
  data<InviteAnswer>({ result, current: null }, { status });
