import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { PAGE_SIZES } from "#app/contract/words/tables.ts";
import { CheckDrawer, MissingCheckDrawer } from "#app/features/checks/check-drawer.tsx";
import { ChecksTable } from "#app/features/checks/checks-table.tsx";
import { addHttpCheck, runCheckNow } from "#app/features/checks/commands.server.ts";
import { findCheck } from "#app/features/checks/drawer.server.ts";
import { FirstCheck as FirstCheckForm } from "#app/features/checks/first-check.tsx";
import { FirstCheck, RunCheck } from "#app/features/checks/forms.server.ts";
import { HealthCounts } from "#app/features/checks/health-counts.tsx";
import { listChecks, shareCounts } from "#app/features/checks/list.server.ts";
import {
  checkPath,
  healthPath,
  healthSearch,
  listPath,
  withoutDrawer,
  type HealthSearch,
} from "#app/features/checks/paths.ts";
import { authorize } from "#app/lib/authorize.server.ts";
import { counted } from "#app/lib/format/count.ts";
import type { Handle } from "#app/lib/handle.ts";
import { siteOrigin } from "#app/lib/origin.server.ts";
import { on, permitted, submit } from "#app/lib/submit.server.ts";
import { tidy } from "#app/lib/tidy.server.ts";
import { Page, Panel } from "#app/ui/frame/page.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { Poll } from "#app/ui/poll.tsx";
import { HealthFilters, HealthTabs } from "./filters.tsx";
import { NoChecks } from "./no-checks.tsx";

/** Seconds between two looks, in a browser that runs scripts. */
const POLL_SECONDS = 15;

export const handle = {
  title: (data) => (data as HealthData | undefined)?.selected?.displayName ?? "Health",
  crumb: { label: "Health", to: healthPath() },
  refresh: true,
  extras: (data) => (data ? <HealthCounts counts={(data as HealthData).checks.counts} /> : null),
} satisfies Handle;

export async function loader(args: LoaderFunctionArgs) {
  const search = healthSearch.read(args.request);
  const session = authorize(args, "read:canaries", { feature: "health" });
  const list = session.then(({ api }) => {
    tidy(args.request, healthPath(search));
    return listChecks(api, search);
  });
  shareCounts(list); // before the first await: the shell's loader is about to count
  const now = Date.now();
  const { api, can, backend } = await session;
  const canAdd = can("write:canaries");
  const [checks, selected] = await Promise.all([
    list,
    findCheck({ api, backend, canWrite: canAdd, origin: siteOrigin(args.request) }, search, now),
  ]);
  return { search, now, checks, selected, canRun: can("run:check"), canAdd };
}
type HealthData = ReturnType<typeof useLoaderData<typeof loader>>;

export async function action(args: ActionFunctionArgs) {
  const { api, can } = await authorize(args, "read:canaries", { feature: "health" });
  const search = healthSearch.read(args.request);
  const run = on(RunCheck, async ({ id }) => {
    const done = await runCheckNow(api, id);
    return { to: healthPath({ ...search, run: done.run ?? "" }), toast: done.toast };
  });
  const add = on(FirstCheck, async ({ url }) => {
    const { name, id } = await addHttpCheck(api, url);
    return id
      ? { to: checkPath(search, id), toast: `${name} is watched` }
      : { to: listPath(search, { query: name }), toast: `${name} will be watched shortly` };
  });
  return submit(args.request, {
    run: permitted(can("run:check"), run),
    add: permitted(can("write:canaries"), add),
  });
}

export default function HealthPage() {
  const { search, now, checks, selected, canRun, canAdd } = useLoaderData<typeof loader>();
  const { initialValue, error } = useActionData<typeof action>()?.result ?? {};
  const isAdding = initialValue?.["intent"] === "add";
  return (
    <Page>
      <Poll seconds={POLL_SECONDS} reload={false} />
      {canAdd && !checks.own ? (
        <Panel label="First check">
          <FirstCheckForm
            url={isAdding ? String(initialValue["url"] ?? "") : ""}
            errors={isAdding ? { url: error?.["url"], form: error?.[""] } : {}}
          />
        </Panel>
      ) : null}
      {checks.counts.total > 0 ? <HealthFilters search={search} checks={checks} /> : null}
      <HealthTabs search={search} checks={checks} />
      {checks.unread > 0 ? (
        <Notice tone="warning">
          This backend tells of all its checks at once. The page is made of the first 5,000;{" "}
          {counted(checks.unread, "check")} more {checks.unread === 1 ? "is" : "are"} not in it.
        </Notice>
      ) : null}
      {checks.lines.length > 0 ? (
        <ChecksTable
          lines={checks.lines}
          search={search}
          now={now}
          pager={<ChecksPager total={checks.total} search={search} />}
        />
      ) : (
        <NoChecks search={search} checks={checks} canAdd={canAdd} />
      )}
      {selected ? (
        <CheckDrawer
          key={selected.id}
          check={selected}
          search={search}
          now={now}
          canRun={canRun}
          canEdit={canAdd}
          errors={isAdding ? null : error?.[""]}
        />
      ) : search.checkId ? (
        <MissingCheckDrawer search={search} />
      ) : null}
    </Page>
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
