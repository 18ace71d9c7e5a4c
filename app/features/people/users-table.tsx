import { Mail, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import type { UserRow } from "#app/contract/rows/users.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Avatar } from "#app/ui/marks/avatar.tsx";
import { Age } from "#app/ui/marks/time.tsx";
import { Cell, HeadCell, Row, RowLink, Table, TableBody, TableHead } from "#app/ui/table.tsx";
import { nextSort, usersPath, type SortColumn, type UsersSearch } from "./paths.ts";
import { UserState } from "./user-state.tsx";

type UsersTableProps = {
  users: readonly UserRow[];
  search: UsersSearch;
  canWrite: boolean;
  /** The caller, who cannot delete himself. */
  me: string;
  now: number;
  foot: ReactNode;
};

/** The users (specification 3 §2.6): a row opens the form, headings sort, all in the address. */
export function UsersTable({ users, search, canWrite, me, now, foot }: UsersTableProps) {
  const sorted = (by: SortColumn, label: string) => ({
    label,
    to: usersPath({ ...search, page: 1, sort: nextSort(search.sort, by) }),
    state:
      search.sort.by !== by
        ? ("none" as const)
        : search.sort.desc
          ? ("descending" as const)
          : ("ascending" as const),
  });
  const sorts = {
    name: sorted("name", "Name"),
    email: sorted("email", "Email"),
    role: sorted("role", "Roles"),
    state: sorted("state", "State"),
    created_at: sorted("created_at", "Created At"),
    last_login: sorted("last_login", "Last Sign-in"),
  };
  return (
    <Table caption="Users" sorts={Object.values(sorts)} foot={foot}>
      <TableHead>
        <HeadCell sort={sorts.name}>Name</HeadCell>
        <HeadCell sort={sorts.email}>Email</HeadCell>
        <HeadCell sort={sorts.role} width="w-36">
          Roles
        </HeadCell>
        <HeadCell sort={sorts.state} width="w-26">
          State
        </HeadCell>
        <HeadCell sort={sorts.created_at} width="w-28" room="wide">
          Created At
        </HeadCell>
        <HeadCell sort={sorts.last_login} width="w-30" room="widest">
          Last Sign-in
        </HeadCell>
        {canWrite ? (
          <HeadCell width="w-24">
            <span className="sr-only">Actions</span>
          </HeadCell>
        ) : null}
      </TableHead>
      <TableBody>
        {users.map((user) => (
          <Row key={user.id}>
            <Cell kind="main">
              <span className="flex items-center gap-2">
                <Avatar name={user.name} image={user.avatar ?? null} />
                {canWrite ? (
                  <RowLink near to={usersPath({ ...search, edit: user.id })} title={user.name}>
                    {user.name}
                  </RowLink>
                ) : (
                  <span className="truncate">{user.name}</span>
                )}
              </span>
            </Cell>
            <Cell label="Email">
              <span title={user.email}>{user.email}</span>
            </Cell>
            <Cell label="Roles">{user.roles.join(", ") || <span className="text-faint">viewer</span>}</Cell>
            <Cell label="State">
              <UserState state={user.state} />
            </Cell>
            <Cell label="Created At" room="wide">
              <Age at={user.created_at} now={now} />
            </Cell>
            <Cell label="Last Sign-in" room="widest">
              {user.last_login ? <Age at={user.last_login} now={now} /> : "Not yet"}
            </Cell>
            {canWrite ? (
              <Cell kind="aside">
                <Actions user={user} search={search} me={me} />
              </Cell>
            ) : null}
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

/** Besides the row's own click, which edits. */
function Actions({ user, search, me }: { user: UserRow } & Pick<UsersTableProps, "search" | "me">) {
  const link = {
    look: "quiet",
    size: "small",
    icon: true,
    className: "relative",
    preventScrollReset: true,
  } as const;
  return (
    <span className="flex justify-end gap-1">
      {user.state === "invited" ? (
        <ButtonLink
          {...link}
          to={usersPath({ ...search, invitation: user.id })}
          aria-label={`Invitation of ${user.name}`}
          title="Invitation"
        >
          <Mail aria-hidden="true" />
        </ButtonLink>
      ) : null}
      {user.id === me ? null : (
        <ButtonLink
          {...link}
          to={usersPath({ ...search, remove: user.id })}
          aria-label={`Delete ${user.name}`}
          title="Delete"
        >
          <Trash2 aria-hidden="true" />
        </ButtonLink>
      )}
    </span>
  );
}
