import { data, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData, useParams } from "@remix-run/react";
import { z } from "zod";
import { UNAUTHORIZED } from "#app/contract/words/auth.ts";
import { CANARY_TEST, NO_RESOURCE } from "#app/contract/words/resources.ts";
import { findOwnRights } from "#app/features/permissions/own-rights.server.ts";
import { partsOfDetails } from "#app/features/jobs/job-details.server.ts";
import { findJob, listJobs } from "#app/features/jobs/queries.server.ts";
import { canaryDoings, findCanary } from "#app/features/resources/canary.server.ts";
import { deleteResource } from "#app/features/resources/commands.server.ts";
import { specTable } from "#app/features/resources/definitions/index.server.ts";
import { DeleteResource } from "#app/features/resources/delete-dialog.tsx";
import { kindOf } from "#app/features/resources/kinds.ts";
import { listCrumb, resourcePath, resourceSearch, resourcesPath } from "#app/features/resources/paths.ts";
import { ReadOnly } from "#app/features/resources/read-only.tsx";
import { isOurs } from "#app/features/resources/source.ts";
import { drawingOf, editSpec } from "#app/features/resources/spec/edit.server.ts";
import { draftOf } from "#app/features/resources/spec/read-draft.server.ts";
import { answerOf } from "#app/features/resources/spec/steps.server.ts";
import { SpecEditor } from "#app/features/resources/spec/spec-editor.tsx";
import { writeSpec } from "#app/features/resources/spec/yaml.server.ts";
import { authorize } from "#app/lib/authorize.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { typedForm } from "#app/lib/posted-form.server.ts";
import { on, submit } from "#app/lib/submit.server.ts";
import { Empty } from "#app/ui/empty.tsx";
import { Page, Panel } from "#app/ui/frame/page.tsx";
import { DetailTabs } from "./detail-tabs.tsx";
import { JobHistory } from "./job-history.tsx";

const read = (data: unknown) => data as DetailData | undefined;

/** Without an answer of the backend nobody knows whether there is such a resource. */
const nameOf = (data: unknown) => (data ? (read(data)?.row?.name ?? NO_RESOURCE) : "Settings");

export const handle = {
  title: nameOf,
  crumb: {
    label: nameOf,
    under: (data) => listCrumb(read(data)?.kind),
  },
  refresh: true,
} satisfies Handle;

export async function loader(args: LoaderFunctionArgs) {
  const kind = kindOf(args.params["table"]);
  const { api, can, backend, isJudged } = await authorize(args, `read:${kind.access}`, kind);
  const search = resourceSearch.read(args.request);
  const row = await findCanary(api, args.params["id"]);
  const now = Date.now();
  if (!row) return data({ kind, search, row: null, now }, { status: 404 });
  const table = specTable(kind.table);
  const { id, name, namespace, labels, spec, updated_at } = row;
  const jobs = { type: kind.jobType, id };
  const [own, history, job, { offers }] = await Promise.all([
    findOwnRights({ api, backend, isJudged }, "canary", id),
    search.tab === "jobHistory" ? listJobs(api, { ...jobs, page: search.page }) : null,
    findJob(api, { ...jobs, job: search.job }),
    backend(),
  ]);
  const draft = draftOf(table, { name, namespace, labels: labels ?? {} }, spec, {
    as: search.as,
    seen: updated_at ?? "",
  });
  return {
    kind,
    search,
    row,
    now,
    history,
    job: job && { name: job.name ?? "", parts: partsOfDetails(job.details) },
    canWrite: (own ? own("update") : can(`write:${kind.access}`)) && isOurs(row),
    canDelete: own ? own("delete") : can(`write:${kind.access}`),
    canTest: offers(CANARY_TEST) && can(`write:${kind.access}`),
    canNotify: can("read:notifications"),
    code: writeSpec(spec),
    answer: { ...answerOf(draft), draft },
    drawing: drawingOf(table, draft),
  };
}
type DetailData = ReturnType<typeof useLoaderData<typeof loader>>;

export async function action(args: ActionFunctionArgs) {
  const kind = kindOf(args.params["table"]);
  const { api, can, backend, isJudged } = await authorize(args, `read:${kind.access}`, kind);
  const { form } = await typedForm(args.request.clone());
  const id = args.params["id"] ?? "";
  const own = await findOwnRights({ api, backend, isJudged }, "canary", id);
  const needed = form.get("intent") === "delete" ? "delete" : "update";
  if (!(own ? own(needed) : can(`write:${kind.access}`))) throw new Response(UNAUTHORIZED, { status: 403 });
  const row = await findCanary(api, id);
  if (!row) throw new Response(NO_RESOURCE, { status: 404 });
  if (!isOurs(row)) throw new Response("It is not changed here.", { status: 403 });
  if (form.get("intent") !== "delete")
    return editSpec(args.request, specTable(kind.table), canaryDoings(api, row));
  return submit(args.request, {
    delete: on(z.object({}), async () => {
      await deleteResource(api, kind, row.id, new Date());
      return {
        to: resourcesPath(kind.table, { deleted: row.id }),
        toast: `${kind.name} deleted successfully`,
      };
    }),
  });
}

export default function ResourceDetailPage() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { id = "" } = useParams();
  const { kind, search, row, now } = page;
  if (!row)
    return (
      <Page>
        <Panel label={kind.name}>
          <Empty>{NO_RESOURCE}</Empty>
        </Panel>
      </Page>
    );
  const to = (values: Partial<typeof search>) => resourcePath(kind.table, id, values);
  const fresh = { answer: page.answer, drawing: page.drawing };
  const { answer: current, drawing } = answer && "answer" in answer ? answer : fresh;
  return (
    <Page>
      <DetailTabs table={kind.table} row={row} tab={search.tab} canNotify={page.canNotify} />
      {search.tab === "jobHistory" ? (
        <JobHistory jobs={page.history} job={page.job} page={search.page} now={now} path={to} />
      ) : page.canWrite ? (
        <SpecEditor
          answer={current}
          {...drawing}
          isNew={false}
          closeTo={resourcesPath(kind.table)}
          {...(page.canDelete ? { deleteTo: to({ confirm: "delete" }) } : {})}
          canTest={page.canTest}
        />
      ) : (
        <ReadOnly row={row} code={page.code} />
      )}
      {search.confirm === "delete" && page.canWrite && page.canDelete ? (
        <DeleteResource
          name={row.name}
          deletes={kind.deletes}
          closeTo={to({})}
          errors={answer && "result" in answer ? answer.result.error?.[""] : null}
        />
      ) : null}
    </Page>
  );
}
