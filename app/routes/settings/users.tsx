import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { UserPlus } from "lucide-react";
import { INVITE, USER_WORDS } from "#app/contract/words/people.ts";
import { PAGE_SIZES } from "#app/contract/words/tables.ts";
import {
  changeUser,
  inviteUser,
  removeUser,
  resendInvitation,
  revokeInvitation,
} from "#app/features/people/commands.server.ts";
import { ChangedRights, ChangedUser, ChosenUser } from "#app/features/people/forms.server.ts";
import { listOf, usersPath, usersSearch } from "#app/features/people/paths.ts";
import { findUser, listUsers } from "#app/features/people/queries.server.ts";
import { UsersFilters } from "#app/features/people/users-filters.tsx";
import { UsersTable } from "#app/features/people/users-table.tsx";
import { afterConflict } from "#app/lib/after-conflict.ts";
import { authorize } from "#app/lib/authorize.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { postedForm } from "#app/lib/posted-form.server.ts";
import { on, submit } from "#app/lib/submit.server.ts";
import { tidy } from "#app/lib/tidy.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Page, Panel } from "#app/ui/frame/page.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { UserDialogs } from "./user-dialogs.tsx";

const TITLE = "Users";
export const handle = { title: TITLE, crumb: { label: TITLE }, refresh: true } satisfies Handle;
export const shouldRevalidate = afterConflict;
const FEATURE = { feature: "settings.users" } as const;

export async function loader(args: LoaderFunctionArgs) {
  const { api, user, can, backend } = await authorize(args, "read:identities", FEATURE);
  const search = usersSearch.read(args.request);
  tidy(args.request, usersPath(search));
  const upstream = await backend();
  const canWrite = can("write:identities");
  const chosen = canWrite ? search.edit || search.remove || search.invitation : "";
  const [list, picked] = await Promise.all([
    listUsers(api, upstream, search),
    findUser(api, upstream, chosen),
  ]);
  const hasAccounts = upstream.offers(INVITE, true);
  return { search, ...list, picked, canWrite, hasAccounts, me: user.id, now: Date.now() };
}

export async function action(args: ActionFunctionArgs) {
  const { api, backend } = await authorize(args, "write:identities", FEATURE);
  const to = usersPath(listOf(usersSearch.read(args.request)));
  const form = await postedForm(args.request.clone());
  if (form.get("intent") === "invite") return inviteUser(args.request, api, to);
  if (form.get("intent") === "resend") {
    const user = await findUser(api, await backend(), String(form.get("id") ?? ""));
    return resendInvitation(args.request, api, { name: user?.name ?? "", to });
  }
  const hasAccounts = (await backend()).offers(INVITE, true);
  return submit(args.request, {
    change: on(hasAccounts ? ChangedUser : ChangedRights, async (user) => {
      await changeUser(api, user);
      return { to, toast: USER_WORDS.updated(user.name) };
    }),
    delete: on(ChosenUser, async ({ id }) => {
      await removeUser(api, id);
      return { to, toast: USER_WORDS.deleted };
    }),
    revoke: on(ChosenUser, async ({ id }) => {
      await revokeInvitation(api, id);
      return { to, toast: "Invitation taken back" };
    }),
  });
}

export default function UsersPage() {
  const { search, rows, total, isCut, picked, canWrite, hasAccounts, me, now } =
    useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const list = listOf(search);
  return (
    <Page>
      <div className="flex flex-wrap items-center gap-2">
        <UsersFilters search={list} />
        {canWrite && hasAccounts ? (
          <ButtonLink
            to={usersPath({ ...list, invite: true })}
            look="primary"
            className="ml-auto"
            preventScrollReset
          >
            <UserPlus aria-hidden="true" />
            Invite User
          </ButtonLink>
        ) : null}
      </div>
      {isCut ? <Notice tone="info">Only the first 5,000 users of this backend were read.</Notice> : null}
      {rows.length > 0 ? (
        <UsersTable
          users={rows}
          search={list}
          canWrite={canWrite}
          me={me}
          now={now}
          foot={
            <Pager
              label={TITLE}
              page={search.page}
              pageSize={search.pageSize}
              total={total}
              href={(page) => usersPath({ ...list, page })}
              size={{
                name: "pageSize",
                options: PAGE_SIZES,
                keep: usersSearch.entries({ ...list, page: 1, pageSize: undefined }),
              }}
            />
          }
        />
      ) : (
        <Panel label={TITLE}>
          <Empty actions={<ButtonLink to={usersPath()}>Show all</ButtonLink>}>
            {total > 0 ? `There is no page ${search.page}.` : "Nobody matches this search."}
          </Empty>
        </Panel>
      )}
      <UserDialogs {...{ search, picked, me, now, canWrite, hasAccounts, answer }} />
    </Page>
  );
}
