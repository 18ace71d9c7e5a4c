import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { PAGE_SIZES } from "#app/contract/words/tables.ts";
import { partsOfDetails } from "#app/features/jobs/job-details.server.ts";
import { JobDialog } from "#app/features/jobs/job-dialog.tsx";
import { jobName } from "#app/features/jobs/job-name.ts";
import { restoreResource } from "#app/features/resources/commands.server.ts";
import { ResourceId } from "#app/features/resources/forms.server.ts";
import { kindOf } from "#app/features/resources/kinds.ts";
import { findNewestJob, listResources } from "#app/features/resources/list.server.ts";
import { resourcePath, resourcesPath, resourcesSearch } from "#app/features/resources/paths.ts";
import { ResourcesTable } from "#app/features/resources/resources-table.tsx";
import { authorize } from "#app/lib/authorize.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { on, submit } from "#app/lib/submit.server.ts";
import { tidy } from "#app/lib/tidy.server.ts";
import { Button } from "#app/ui/button.tsx";
import { Page } from "#app/ui/frame/page.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { PostForm } from "#app/ui/post-form.tsx";
import { SearchForm } from "#app/ui/search-form.tsx";
import { ListActions } from "./list-actions.tsx";
import { NothingListed } from "./nothing-listed.tsx";

const nameOf = (data: unknown) => (data as ListData | undefined)?.kind.name ?? "Settings";

export const handle = { title: nameOf, crumb: { label: nameOf }, refresh: true } satisfies Handle;

export async function loader(args: LoaderFunctionArgs) {
  const kind = kindOf(args.params["table"]);
  const { api, can } = await authorize(args, `read:${kind.access}`, { feature: kind.feature });
  const search = resourcesSearch.read(args.request);
  tidy(args.request, resourcesPath(kind.table, search));
  const [list, job] = await Promise.all([
    listResources(api, kind, search),
    findNewestJob(api, kind, search.job),
  ]);
  return {
    kind,
    search,
    ...list,
    job: job && { name: jobName(job.job_name), parts: partsOfDetails(job.job_details) },
    canWrite: can(`write:${kind.access}`),
    now: Date.now(),
  };
}
type ListData = ReturnType<typeof useLoaderData<typeof loader>>;

export async function action(args: ActionFunctionArgs) {
  const kind = kindOf(args.params["table"]);
  const { api } = await authorize(args, `write:${kind.access}`, { feature: kind.feature });
  return submit(args.request, {
    restore: on(ResourceId, async ({ id }) => {
      const { name } = await restoreResource(api, kind, id);
      return { to: resourcePath(kind.table, id), toast: `${name} is back` };
    }),
  });
}

export default function ResourceListPage() {
  const { kind, search, rows, total, job, canWrite, now } = useLoaderData<typeof loader>();
  const list = { ...search, job: "", deleted: "" };
  return (
    <Page>
      <div className="flex flex-wrap items-center gap-2">
        <SearchForm
          keep={resourcesSearch.entries({ ...list, query: "", page: 1 })}
          value={search.query}
          placeholder="Search by name or source"
          label={`Search ${kind.name}`}
        />
        {canWrite ? <ListActions table={kind.table} add={kind.add} query={search.query} /> : null}
      </div>
      {canWrite && search.deleted ? <Deleted id={search.deleted} name={kind.name} /> : null}
      {rows.length > 0 ? (
        <ResourcesTable
          kind={kind}
          rows={rows}
          search={search}
          now={now}
          pager={
            <Pager
              label={kind.name}
              page={search.page}
              pageSize={search.pageSize}
              total={total}
              href={(page) => resourcesPath(kind.table, { ...list, page })}
              size={{
                name: "pageSize",
                options: PAGE_SIZES,
                keep: resourcesSearch.entries({ ...list, page: 1, pageSize: undefined }),
              }}
            />
          }
        />
      ) : (
        <NothingListed {...{ kind, search, total, canWrite }} />
      )}
      {job ? <JobDialog {...job} closeTo={resourcesPath(kind.table, { ...search, job: "" })} /> : null}
    </Page>
  );
}

/** What was deleted a moment ago can be had back. */
function Deleted({ id, name }: { id: string; name: string }) {
  const errors = useActionData<typeof action>()?.result.error?.[""];
  return (
    <Notice tone="info">
      <PostForm intent="restore" errors={errors} className="flex flex-wrap items-center gap-3">
        <input type="hidden" name="id" value={id} />
        <span>A {name.toLowerCase()} was deleted.</span>
        <Button>Undo</Button>
      </PostForm>
    </Notice>
  );
}
