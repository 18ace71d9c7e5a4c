import type { SubmissionResult } from "@conform-to/react";
import type { UserRow } from "#app/contract/rows/users.ts";
import { KEPT_ELSEWHERE, USER_WORDS } from "#app/contract/words/people.ts";
import { plainForm, refusalOf } from "#app/lib/plain-form.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Switch } from "#app/ui/choice.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { PostForm } from "#app/ui/post-form.tsx";
import { UserFields } from "./user-fields.tsx";

type DialogProps = { closeTo: string; result: SubmissionResult | undefined };

export function InviteDialog({ closeTo, result }: DialogProps) {
  const form = plainForm(result, "invite");
  return (
    <Dialog title="Invite User" size="small" closeTo={closeTo}>
      <PostForm intent="invite" errors={form.refusal} className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <UserFields form={form} values={{ firstName: "", lastName: "", email: "", role: "" }} />
        <Buttons closeTo={closeTo} label="Invite user" />
      </PostForm>
    </Dialog>
  );
}

const YOURSELF = "Nobody changes this of himself: ask another administrator";

/** `hasAccounts`: the backend keeps the accounts itself, and not an identity service elsewhere. */
type OfUser = DialogProps & { user: UserRow; hasAccounts: boolean };

export function EditDialog({ user, isMe, hasAccounts, closeTo, result }: OfUser & { isMe: boolean }) {
  const form = plainForm(result, "change");
  const { id, first_name, last_name, email, role, state, updated_at } = user;
  const isActive = form.isRefused ? form.typed("active") !== "" : state !== "inactive";
  return (
    <Dialog title="Edit User" size="small" closeTo={closeTo}>
      <PostForm intent="change" errors={form.refusal} className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <input type="hidden" name="id" value={id} />
        {hasAccounts ? null : <input type="hidden" name="name" value={user.name} />}
        <input type="hidden" name="seen" value={updated_at ?? ""} />
        <UserFields
          form={form}
          values={{ firstName: first_name, lastName: last_name, email, role }}
          {...(isMe ? { fixedRole: YOURSELF } : {})}
          {...(hasAccounts ? {} : { fixedNames: KEPT_ELSEWHERE })}
        />
        {isMe ? null : (
          <>
            <input type="hidden" name="hasActive" value="true" />
            <Switch
              name="active"
              value="true"
              defaultChecked={isActive}
              label="Active"
              hint="Whoever is not active cannot sign in. Sessions and access tokens end at once."
            />
          </>
        )}
        <Buttons closeTo={closeTo} label="Update" />
      </PostForm>
    </Dialog>
  );
}

function Buttons({ closeTo, label }: { closeTo: string; label: string }) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <ButtonLink to={closeTo} preventScrollReset>
        Cancel
      </ButtonLink>
      <Button look="primary">{label}</Button>
    </div>
  );
}

const STAYS_OUT = "cannot sign in any more; sessions and access tokens end at once.";
const COMES_BACK =
  "loses roles and access tokens at once, and comes back as a viewer when the identity service lets them in again: to keep them out, make them inactive.";

/** The question before an account goes (specification 3 §2.6). */
export function RemoveDialog({ user, hasAccounts, closeTo, result }: OfUser) {
  return (
    <Dialog title={USER_WORDS.deleteTitle} size="small" closeTo={closeTo}>
      <p>{USER_WORDS.deleteQuestion}</p>
      <p className="text-muted">
        <strong className="font-medium text-ink wrap-anywhere">{user.name}</strong> ({user.email}){" "}
        {hasAccounts ? STAYS_OUT : COMES_BACK} What they did stays under their name.
      </p>
      <PostForm
        intent="delete"
        errors={refusalOf(result, "delete")}
        className="flex flex-wrap justify-end gap-2"
      >
        <input type="hidden" name="id" value={user.id} />
        <ButtonLink to={closeTo} preventScrollReset>
          Close
        </ButtonLink>
        <Button look="danger">Delete</Button>
      </PostForm>
    </Dialog>
  );
}
