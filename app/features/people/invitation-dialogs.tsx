import type { SubmissionResult } from "@conform-to/react";
import type { UserRow } from "#app/contract/rows/users.ts";
import { USER_WORDS } from "#app/contract/words/people.ts";
import { refusalOf } from "#app/lib/plain-form.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Age } from "#app/ui/marks/time.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { PostForm } from "#app/ui/post-form.tsx";
import { ShownOnce } from "#app/ui/shown-once.tsx";

/** Somebody who was invited and has no password yet: the invitation is sent again, or taken back. */
export function InvitationDialog({
  user,
  now,
  closeTo,
  result,
}: {
  user: UserRow;
  now: number;
  closeTo: string;
  result: SubmissionResult | undefined;
}) {
  const { id, name, email, invited_at, invitation_expires_at: expires, mailed } = user;
  const isOver = expires !== null && expires !== undefined && expires.getTime() <= now;
  const refusal = refusalOf(result, "resend", "revoke");
  return (
    <Dialog title={`Invitation of ${name}`} size="small" closeTo={closeTo}>
      {refusal ? <Notice tone="unhealthy">{refusal.join(" ")}</Notice> : null}
      <p>
        Invited <Age at={invited_at} now={now} />
        {mailed ? ` by mail to ${email}` : ` as ${email}, with a link to hand on`}.{" "}
        {isOver ? "The link is over: make a new one." : "Nobody has used the link yet."}
      </p>
      <p className="text-muted">
        A new link takes the place of the old one. An invitation that is taken back removes the account.
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <PostForm intent="revoke">
          <input type="hidden" name="id" value={id} />
          <Button>Revoke</Button>
        </PostForm>
        <PostForm intent="resend">
          <input type="hidden" name="id" value={id} />
          <Button look="primary">{mailed ? "Send again" : "New link"}</Button>
        </PostForm>
      </div>
    </Dialog>
  );
}

/** Without a mail server whoever invites hands the link on; it is shown this once. */
export function LinkDialog({
  name,
  link,
  isAgain,
  closeTo,
}: {
  name: string;
  link: string;
  /** In the place of an earlier one. */
  isAgain: boolean;
  closeTo: string;
}) {
  return (
    <Dialog
      title={isAgain ? `New link for ${name}` : USER_WORDS.invited(name)}
      size="small"
      closeTo={closeTo}
      foot={
        <ButtonLink to={closeTo} look="primary" preventScrollReset>
          Done
        </ButtonLink>
      }
    >
      <Notice tone="info">
        No mail is sent from here, so hand this link on yourself. It is shown only once, and whoever opens it
        first has the account.
      </Notice>
      <ShownOnce
        id="invitation-link"
        label="Invitation link"
        text={link}
        copyLabel="Copy the invitation link"
      />
    </Dialog>
  );
}
