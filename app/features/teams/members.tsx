import type { SubmissionResult } from "@conform-to/react";
import { EllipsisVertical, UserMinus, UserPlus, Users } from "lucide-react";
import { TEAM_WORDS } from "#app/contract/words/teams.ts";
import { count } from "#app/lib/format/count.ts";
import { plainForm } from "#app/lib/plain-form.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { FieldGroup } from "#app/ui/field-parts.tsx";
import { Avatar } from "#app/ui/marks/avatar.tsx";
import { Menu, MENU_ITEM } from "#app/ui/menu.tsx";
import { PostForm } from "#app/ui/post-form.tsx";
import { SearchForm } from "#app/ui/search-form.tsx";
import { teamPath } from "./paths.ts";
import { TeamIcon } from "./team-icon.tsx";
import type { Member } from "./queries.server.ts";

/** The people of a team (facts/ui-screens §7.1). */
export function Members({
  teamId,
  icon,
  members,
  canWrite,
}: {
  teamId: string;
  /** The team's own picture. */
  icon: string;
  members: readonly Member[];
  canWrite: boolean;
}) {
  const add = canWrite ? (
    <ButtonLink to={teamPath(teamId, { tab: "manageTeam", add: true })} look="primary" preventScrollReset>
      <UserPlus aria-hidden="true" />
      Add Members
    </ButtonLink>
  ) : null;
  if (members.length === 0)
    return (
      <Empty title={canWrite ? "Add team members" : "No members"} mark={<Users />} actions={add}>
        {TEAM_WORDS.noMembers}
      </Empty>
    );
  return (
    <>
      <div className="flex items-center gap-2 border-b border-line px-4 py-2">
        <TeamIcon icon={icon} />
        <h2>
          {count(members.length)} {members.length === 1 ? "member" : "members"}
        </h2>
        <span className="ml-auto">{add}</span>
      </div>
      <ul className="divide-y divide-line">
        {members.map((member) => (
          <li key={member.id} className="flex min-h-12 items-center gap-3 px-4 py-1.5">
            <Avatar name={member.name} image={member.avatar} />
            <Words member={member} />
            {canWrite ? <RemoveMenu member={member} /> : null}
          </li>
        ))}
      </ul>
    </>
  );
}

function Words({ member: { name, email } }: { member: Pick<Member, "name" | "email"> }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate">{name}</span>
      <span className="block truncate text-xs text-muted">{email}</span>
    </span>
  );
}

function RemoveMenu({ member: { id, name } }: { member: Member }) {
  return (
    <Menu label={`Actions for ${name}`} trigger={<EllipsisVertical aria-hidden="true" />}>
      <PostForm intent="remove-member">
        <input type="hidden" name="person" value={id} />
        <button className={MENU_ITEM}>
          <UserMinus aria-hidden="true" />
          Remove user
        </button>
      </PostForm>
    </Menu>
  );
}

/** Chooses among the users who are not in the team. */
export function AddMembers({
  teamId,
  query,
  candidates: { people, total },
  result,
}: {
  teamId: string;
  query: string;
  candidates: { people: readonly Omit<Member, "avatar">[]; total: number };
  result: SubmissionResult | undefined;
}) {
  const closeTo = teamPath(teamId, { tab: "manageTeam" });
  const { refusal, errors } = plainForm(result, "add-members");
  const keep: [string, string][] = [
    ["tab", "manageTeam"],
    ["add", "true"],
  ];
  return (
    <Dialog title="Add users to the team" size="small" closeTo={closeTo}>
      <SearchForm keep={keep} value={query} placeholder="Search by name or e-mail" label="Search users" />
      {people.length > 0 ? (
        <PostForm intent="add-members" errors={refusal} className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <FieldGroup
            id="team-people"
            label="Users"
            errors={errors("people")}
            hint={
              people.length < total
                ? `${count(people.length)} of ${count(total)}: search for others`
                : undefined
            }
          >
            <div className="grid max-h-72 auto-rows-max content-start overflow-y-auto rounded-md border border-line px-3 py-1">
              {people.map(({ id, name, email }) => (
                <Checkbox
                  key={id}
                  name="people"
                  value={id}
                  label={name}
                  {...(email ? { hint: email } : {})}
                />
              ))}
            </div>
          </FieldGroup>
          <div className="flex justify-end gap-2">
            <ButtonLink to={closeTo} preventScrollReset>
              Cancel
            </ButtonLink>
            <Button look="primary">Add</Button>
          </div>
        </PostForm>
      ) : (
        <Empty small heading="h3">
          {query.trim() === ""
            ? "Every user is in the team already."
            : "Nobody of that name is outside the team."}
        </Empty>
      )}
    </Dialog>
  );
}
