import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { HEALTH, HEALTH_SEARCH_PLACEHOLDER } from "#app/contract/words/checks.ts";
import { PAGE_SIZES } from "#app/contract/words/tables.ts";
import { CheckDrawer, MissingCheckDrawer } from "#app/features/checks/check-drawer.tsx";
import { ChecksTable } from "#app/features/checks/checks-table.tsx";
import { runCheckNow } from "#app/features/checks/commands.server.ts";
import { RunCheck } from "#app/features/checks/forms.server.ts";
import { HealthCounts } from "#app/features/checks/health-counts.tsx";
import { healthPath, healthSearch, withoutDrawer, type HealthSearch } from "#app/features/checks/paths.ts";
import { countChecks, findCheck, listChecks } from "#app/features/checks/queries.server.ts";
import { authorize } from "#app/lib/authorize.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { on, submit } from "#app/lib/submit.server.ts";
import { tidy } from "#app/lib/tidy.server.ts";
import { Page } from "#app/ui/frame/page.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { Poll } from "#app/ui/poll.tsx";
import { SearchForm } from "#app/ui/search-form.tsx";
import { FilterSelect } from "#app/ui/select.tsx";
import { capitalised } from "#app/ui/marks/status.tsx";
import { NoChecks } from "./no-checks.tsx";

/** Seconds between two looks, in a browser that runs scripts. */
const POLL_SECONDS = 15;

export const handle = {
  title: (data) => (data as HealthData | undefined)?.selected?.displayName ?? "Health",
  crumb: { label: "Health", to: healthPath() },
  refresh: true,
  extras: (data) => (data ? <HealthCounts counts={(data as HealthData).counts} /> : null),
} satisfies Handle;

export async function loader(args: LoaderFunctionArgs) {
  const { api, can } = await authorize(args, "read:canaries", { feature: "health" });
  const search = healthSearch.read(args.request);
  tidy(args.request, healthPath(search));
  const now = Date.now();
  const [checks, counts, selected] = await Promise.all([
    listChecks(api, search),
    countChecks(api),
    findCheck(api, search, now),
  ]);
  return { search, now, checks, counts, selected, canRun: can("run:check"), canAdd: can("write:canaries") };
}
type HealthData = ReturnType<typeof useLoaderData<typeof loader>>;

export async function action(args: ActionFunctionArgs) {
  const { api } = await authorize(args, "run:check", { feature: "health" });
  const to = healthPath(healthSearch.read(args.request));
  return submit(args.request, {
    run: on(RunCheck, async ({ id }) => ({ to, toast: await runCheckNow(api, id) })),
  });
}

export default function HealthPage() {
  const { search, now, checks, counts, selected, canRun, canAdd } = useLoaderData<typeof loader>();
  const errors = useActionData<typeof action>()?.result.error?.[""];
  return (
    <Page>
      <Poll seconds={POLL_SECONDS} reload={false} />
      <HealthFilters search={search} />
      {checks.rows.length > 0 ? (
        <ChecksTable
          {...checks}
          search={search}
          now={now}
          pager={<ChecksPager total={checks.total} search={search} />}
        />
      ) : (
        <NoChecks search={search} counts={counts} total={checks.total} canAdd={canAdd} />
      )}
      {selected ? (
        <CheckDrawer
          key={selected.id}
          check={selected}
          search={search}
          now={now}
          canRun={canRun}
          errors={errors}
        />
      ) : search.checkId ? (
        <MissingCheckDrawer search={search} />
      ) : null}
    </Page>
  );
}

const STATUSES = ["all", ...HEALTH].map((value) => ({ value, label: capitalised(value) }));

function HealthFilters({ search }: { search: HealthSearch }) {
  const keep = healthSearch.entries({ ...withoutDrawer(search), query: "", status: "all", page: 1 });
  return (
    <SearchForm
      keep={keep}
      value={search.query}
      placeholder={HEALTH_SEARCH_PLACEHOLDER}
      label="Search checks"
    >
      <FilterSelect label="Health" name="status" value={search.status} options={STATUSES} />
    </SearchForm>
  );
}

function ChecksPager({ total, search }: { total: number; search: HealthSearch }) {
  const list = withoutDrawer(search);
  return (
    <Pager
      label="Checks"
      page={search.page}
      pageSize={search.pageSize}
      total={total}
      href={(page) => healthPath({ ...list, page })}
      size={{
        name: "pageSize",
        options: PAGE_SIZES,
        keep: healthSearch.entries({ ...list, page: 1, pageSize: undefined }),
      }}
    />
  );
}
