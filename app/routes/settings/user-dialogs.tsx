import type { UserRow } from "#app/contract/rows/users.ts";
import type { InviteAnswer } from "#app/features/people/commands.server.ts";
import { InvitationDialog, LinkDialog } from "#app/features/people/invitation-dialogs.tsx";
import { listOf, usersPath, type UsersSearch } from "#app/features/people/paths.ts";
import { EditDialog, InviteDialog, RemoveDialog } from "#app/features/people/user-dialogs.tsx";

type UserDialogsProps = {
  search: UsersSearch;
  /** Whom the address names, if there is such a user. */
  picked: UserRow | null;
  me: string;
  now: number;
  canWrite: boolean;
  /** Accounts are the backend's own: people are invited, and named, here. */
  hasAccounts: boolean;
  answer: InviteAnswer | undefined;
};

/** The dialog that the address asks for, over the list of users. */
export function UserDialogs({ search, picked, me, now, canWrite, hasAccounts, answer }: UserDialogsProps) {
  if (!canWrite) return null;
  const closeTo = usersPath(listOf(search));
  if (answer && "invited" in answer) return <LinkDialog {...answer.invited} closeTo={closeTo} />;
  const result = answer?.result;
  if (search.invite && hasAccounts) return <InviteDialog closeTo={closeTo} result={result} />;
  if (!picked) return null;
  if (search.edit)
    return (
      <EditDialog
        key={picked.updated_at}
        user={picked}
        isMe={picked.id === me}
        hasAccounts={hasAccounts}
        closeTo={closeTo}
        result={result}
      />
    );
  if (search.remove)
    return <RemoveDialog user={picked} hasAccounts={hasAccounts} closeTo={closeTo} result={result} />;
  return <InvitationDialog user={picked} now={now} closeTo={closeTo} result={result} />;
}
