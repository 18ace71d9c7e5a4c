import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { CheckDrawer, MissingCheckDrawer } from "#app/features/checks/check-drawer.tsx";
import { addHttpCheck, runCheckNow } from "#app/features/checks/commands.server.ts";
import { findCheck } from "#app/features/checks/drawer.server.ts";
import { FirstCheck as FirstCheckForm } from "#app/features/checks/first-check.tsx";
import { FirstCheck, RunCheck } from "#app/features/checks/forms.server.ts";
import { AddCheck, HealthCounts } from "#app/features/checks/health-counts.tsx";
import { listChecks, shareCounts } from "#app/features/checks/list.server.ts";
import { rateFor } from "#app/features/checks/model.ts";
import { checkPath, healthPath, healthSearch, listPath, listRange } from "#app/features/checks/paths.ts";
import { RefreshMenu } from "#app/features/checks/refresh-menu.tsx";
import { findOwnRights } from "#app/features/permissions/own-rights.server.ts";
import { authorize } from "#app/lib/authorize.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { siteOrigin } from "#app/lib/origin.server.ts";
import { typedForm } from "#app/lib/posted-form.server.ts";
import { preferencesOf } from "#app/lib/preferences.server.ts";
import { on, permitted, submit } from "#app/lib/submit.server.ts";
import { tidy } from "#app/lib/tidy.server.ts";
import { Page, Panel } from "#app/ui/frame/page.tsx";
import { Poll } from "#app/ui/poll.tsx";
import { HealthBody } from "./body.tsx";

export const handle = {
  title: (data) => (data as HealthData | undefined)?.selected?.displayName ?? "Health",
  crumb: { label: "Health", to: healthPath() },
  extras: (data) => (data ? <HealthBar {...(data as HealthData)} /> : null),
} satisfies Handle;

export async function loader(args: LoaderFunctionArgs) {
  const { health: usual, refresh } = preferencesOf(args.request);
  const search = healthSearch.read(args.request, usual);
  const session = authorize(args, "read:canaries", { feature: "health" });
  const list = session.then(({ api }) => {
    tidy(args.request, healthPath(search));
    return listChecks(api, search);
  });
  shareCounts(list); // before the first await: the shell's loader is about to count
  const now = Date.now();
  const { api, can, backend, isJudged } = await session;
  const canAdd = can("write:canaries");
  const rights = findOwnRights({ api, backend, isJudged }, "check", search.checkId);
  const canWrite = rights.then((own) => own?.("update") ?? canAdd);
  const [checks, selected, own, canEdit] = await Promise.all([
    list,
    findCheck({ api, backend, canWrite, origin: siteOrigin(args.request) }, search, now),
    rights,
    canWrite,
  ]);
  return {
    search,
    now,
    checks,
    selected,
    rate: search.refresh || refresh,
    canRun: own ? own("run") : can("run:check"),
    canAdd,
    canEdit,
  };
}
type HealthData = ReturnType<typeof useLoaderData<typeof loader>>;

export async function action(args: ActionFunctionArgs) {
  const { api, can, backend, isJudged } = await authorize(args, "read:canaries", { feature: "health" });
  const { form: posted } = await typedForm(args.request.clone());
  const own = await findOwnRights({ api, backend, isJudged }, "check", String(posted.get("id") ?? ""));
  const search = healthSearch.read(args.request, preferencesOf(args.request).health);
  const run = on(RunCheck, async ({ id }) => {
    const done = await runCheckNow(api, id);
    return { to: healthPath({ ...search, run: done.run ?? "" }), toast: done.toast };
  });
  const add = on(FirstCheck, async ({ url }) => {
    const { name, id } = await addHttpCheck(api, url);
    return id
      ? { to: checkPath({ ...search, refresh: "15s" }, id), toast: `${name} is watched` }
      : { to: listPath(search, { query: name }), toast: `${name} will be watched shortly` };
  });
  return submit(args.request, {
    run: permitted(own ? own("run") : can("run:check"), run),
    add: permitted(can("write:canaries"), add),
  });
}

export default function HealthPage() {
  const { search, now, checks, selected, rate, canRun, canAdd, canEdit } = useLoaderData<typeof loader>();
  const { initialValue, error } = useActionData<typeof action>()?.result ?? {};
  const isAdding = initialValue?.["intent"] === "add";
  return (
    <Page>
      <Poll seconds={rateFor(rate, listRange(search)).seconds ?? 0} />
      {canAdd && !checks.own ? (
        <Panel label="First check">
          <FirstCheckForm
            url={isAdding ? String(initialValue["url"] ?? "") : ""}
            errors={isAdding ? { url: error?.["url"], form: error?.[""] } : {}}
          />
        </Panel>
      ) : null}
      <HealthBody search={search} checks={checks} now={now} canAdd={canAdd} />
      {selected ? (
        <CheckDrawer
          key={selected.id}
          check={selected}
          search={search}
          now={now}
          canRun={canRun}
          canEdit={canEdit}
          errors={isAdding ? null : error?.[""]}
        />
      ) : search.checkId ? (
        <MissingCheckDrawer search={search} />
      ) : null}
    </Page>
  );
}

/** At the right of the top bar: what fails and passes, a new check, and looking again. */
function HealthBar({ search, checks: { counts, matched }, rate, canAdd }: HealthData) {
  return (
    <>
      <HealthCounts counts={counts} matched={matched} />
      {canAdd ? <AddCheck /> : null}
      <RefreshMenu search={search} rate={rate} />
    </>
  );
}
