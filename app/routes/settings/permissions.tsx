import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { CircleHelp, Plus } from "lucide-react";
import {
  ADD_PERMISSION,
  KIND_LABELS,
  PERMISSIONS_PAGE_SIZE,
  RESOURCE_KINDS,
} from "#app/contract/words/permissions.ts";
import {
  ID_COLUMNS,
  newPermissionPath,
  permissionsPath,
  permissionsSearch,
  whyPath,
  type PermissionsSearch,
} from "#app/features/permissions/paths.ts";
import { PermissionsTable } from "#app/features/permissions/permissions-table.tsx";
import { listPermissions } from "#app/features/permissions/queries.server.ts";
import { authorize } from "#app/lib/authorize.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { tidy } from "#app/lib/tidy.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { FilterForm } from "#app/ui/filter-form.tsx";
import { Page, Panel } from "#app/ui/frame/page.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { FilterSelect } from "#app/ui/select.tsx";

export const handle = {
  title: "Permissions",
  crumb: { label: "Permissions" },
  refresh: true,
} satisfies Handle;

export async function loader(args: LoaderFunctionArgs) {
  const { api, can } = await authorize(args, "read:permissions", { feature: "settings.permissions" });
  const search = permissionsSearch.read(args.request);
  tidy(args.request, permissionsPath(search));
  const { rows, total } = await listPermissions(api, search);
  return { search, rows, total, canWrite: can("write:permissions"), now: Date.now() };
}

export default function PermissionsPage() {
  const { search, rows, total, canWrite, now } = useLoaderData<typeof loader>();
  return (
    <Page>
      <div className="flex flex-wrap items-center gap-2 max-sm:grid max-sm:grid-cols-2">
        <Filters search={search} />
        <span className="ml-auto flex flex-wrap gap-2 max-sm:contents">
          <ButtonLink to={whyPath()}>
            <CircleHelp aria-hidden="true" />
            Why?
          </ButtonLink>
          {canWrite ? (
            <ButtonLink to={newPermissionPath(idsOf(search))} look="primary">
              <Plus aria-hidden="true" />
              {ADD_PERMISSION}
            </ButtonLink>
          ) : null}
        </span>
      </div>
      {rows.length > 0 ? (
        <PermissionsTable
          rows={rows}
          now={now}
          pager={
            <Pager
              label="Permissions"
              page={search.page}
              pageSize={PERMISSIONS_PAGE_SIZE}
              total={total}
              href={(page) => permissionsPath({ ...search, page })}
            />
          }
        />
      ) : (
        <Nothing search={search} total={total} />
      )}
    </Page>
  );
}

function Filters({ search }: { search: PermissionsSearch }) {
  const rest = permissionsSearch.entries({ ...search, kind: "", effect: "", page: 1 });
  return (
    <FilterForm label="filters" keep={rest} fills>
      <FilterSelect
        label="Resource"
        name="kind"
        value={search.kind}
        options={[
          { value: "", label: "All" },
          ...RESOURCE_KINDS.map((kind) => ({ value: kind, label: KIND_LABELS[kind] })),
        ]}
      />
      <FilterSelect
        label="Effect"
        name="effect"
        value={search.effect}
        options={[
          { value: "", label: "All" },
          { value: "allow", label: "Allow" },
          { value: "deny", label: "Deny" },
        ]}
      />
      {isNarrowed(search) ? <ButtonLink to={permissionsPath()}>Show all</ButtonLink> : null}
    </FilterForm>
  );
}

/** Why the list is empty, and the way on. */
function Nothing({ search, total }: { search: PermissionsSearch; total: number }) {
  const isFiltered = isNarrowed(search) || search.kind !== "" || search.effect !== "";
  const way =
    total > 0 ? (
      <ButtonLink to={permissionsPath({ ...search, page: 1 })}>First page</ButtonLink>
    ) : isFiltered ? (
      <ButtonLink to={permissionsPath()}>Show all</ButtonLink>
    ) : null;
  const words =
    total > 0
      ? `There is no page ${search.page}.`
      : isFiltered
        ? "No permission matches this."
        : "Everybody may what their role says. A permission allows or denies one thing more, to a team or a person.";
  return (
    <Panel label="Permissions">
      <Empty actions={way}>{words}</Empty>
    </Panel>
  );
}

const idsOf = (search: PermissionsSearch) =>
  Object.fromEntries(ID_COLUMNS.map((column) => [column, search[column]]));
const isNarrowed = (search: PermissionsSearch) => ID_COLUMNS.some((column) => search[column] !== "");
