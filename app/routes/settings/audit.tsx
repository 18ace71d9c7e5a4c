import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Download } from "lucide-react";
import { AUDIT_PAGE_SIZE, AUDIT_TITLE, NO_AUDIT } from "#app/contract/words/audit.ts";
import { AuditDrawer } from "#app/features/audit/audit-drawer.tsx";
import { AuditFilters } from "#app/features/audit/audit-filters.tsx";
import { AuditTable } from "#app/features/audit/audit-table.tsx";
import { changesOf } from "#app/features/audit/entry.server.ts";
import { auditCsvPath, auditPath, auditSearch } from "#app/features/audit/paths.ts";
import { findAuditEntry, listAudit } from "#app/features/audit/queries.server.ts";
import { spanOf } from "#app/features/audit/span.ts";
import { authorize } from "#app/lib/authorize.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { tidy } from "#app/lib/tidy.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Page, Panel } from "#app/ui/frame/page.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Pager } from "#app/ui/pager.tsx";

export const handle = {
  title: AUDIT_TITLE,
  crumb: { label: AUDIT_TITLE, to: auditPath() },
  refresh: true,
} satisfies Handle;

/** Who did what. It tells of everything, also of what a record keeps others from: for whoever may write rbac. */
export async function loader(args: LoaderFunctionArgs) {
  const { api } = await authorize(args, "write:rbac");
  const search = auditSearch.read(args.request);
  tidy(args.request, auditPath(search));
  const now = Date.now();
  const span = spanOf(search, now);
  const [list, found] = await Promise.all([listAudit(api, search, span), findAuditEntry(api, search.id)]);
  const entry = found && { ...found, before: undefined, after: undefined };
  return { ...list, search, now, span, entry, changes: found && changesOf(found) };
}
type AuditData = ReturnType<typeof useLoaderData<typeof loader>>;

export default function AuditPage() {
  const { rows, total, search, now, span, entry, changes } = useLoaderData<typeof loader>();
  return (
    <Page>
      <AuditFilters search={search}>
        <ButtonLink to={auditCsvPath(search)} reloadDocument>
          <Download aria-hidden="true" />
          CSV
        </ButtonLink>
      </AuditFilters>
      {span.error ? (
        <Notice tone="warning" role="alert">
          {span.error}. Shown is the time {span.words}.
        </Notice>
      ) : null}
      {rows.length > 0 ? (
        <AuditTable
          rows={rows}
          search={search}
          now={now}
          pager={
            <Pager
              label={AUDIT_TITLE}
              page={search.page}
              pageSize={AUDIT_PAGE_SIZE}
              total={total}
              href={(page) => auditPath({ ...search, page, id: 0 })}
            />
          }
        />
      ) : (
        <Nothing {...{ search, total, span }} />
      )}
      {entry && changes ? (
        <AuditDrawer key={entry.id} entry={entry} changes={changes} search={search} />
      ) : null}
    </Page>
  );
}

/** Why the list is empty, and the way on. */
function Nothing({ search, total, span }: Pick<AuditData, "search" | "total" | "span">) {
  const { person, action, kind, record } = search;
  const isFiltered = [person, action, kind, record].some((value) => value.trim() !== "");
  const way =
    total > 0 ? (
      <ButtonLink to={auditPath({ ...search, page: 1 })}>First page</ButtonLink>
    ) : isFiltered ? (
      <ButtonLink to={auditPath()}>Show all</ButtonLink>
    ) : null;
  return (
    <Panel label={AUDIT_TITLE}>
      <Empty actions={way}>
        {total > 0
          ? `There is no page ${search.page}.`
          : isFiltered
            ? `Nothing matches these filters ${span.words}.`
            : NO_AUDIT}
      </Empty>
    </Panel>
  );
}
