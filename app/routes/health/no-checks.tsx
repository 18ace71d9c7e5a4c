import type { ListedChecks } from "#app/features/checks/list.server.ts";
import { listPath, type HealthSearch } from "#app/features/checks/paths.ts";
import { counted } from "#app/lib/format/count.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Panel } from "#app/ui/frame/page.tsx";

type NoChecksProps = {
  search: HealthSearch;
  checks: Pick<ListedChecks, "counts" | "total">;
  canAdd: boolean;
};

/** Why the table is empty, and the way on: a page too far, nothing fails, nothing matches, or nothing is watched yet. */
export function NoChecks({ search, checks: { counts, total }, canAdd }: NoChecksProps) {
  const hides = search.hidePassing && search.status === "all";
  const isPlain =
    hides && search.query.trim() === "" && search.tab === "" && Object.keys(search.labels).length === 0;
  return (
    <Panel label="Checks">
      {total > 0 ? (
        <Empty actions={<ButtonLink to={listPath(search, {})}>First page</ButtonLink>}>
          There is no page {search.page}: {counted(total, "check")} in all.
        </Empty>
      ) : counts.total === 0 ? (
        <Empty title="No checks yet">
          {canAdd
            ? "Checks come from canaries: from the address above, through the API (POST /api/db/canaries) or from a configuration file."
            : "Nothing is being watched yet. Ask an editor or an administrator to add a check."}
        </Empty>
      ) : isPlain && counts.passing === counts.total ? (
        <Empty
          title={counts.total === 1 ? "The check passes" : `All ${counted(counts.total, "check")} pass`}
          actions={
            <ButtonLink to={listPath(search, { hidePassing: false })}>
              {counts.total === 1 ? "Show it" : "Show all checks"}
            </ButtonLink>
          }
        >
          Nothing needs you.
        </Empty>
      ) : (
        <Empty
          actions={
            <>
              {hides ? (
                <ButtonLink to={listPath(search, { hidePassing: false })}>
                  Look among passing checks
                </ButtonLink>
              ) : null}
              <ButtonLink to={cleared(search)}>Clear filters</ButtonLink>
            </>
          }
        >
          {hides ? "Nothing that fails matches these filters." : "No check matches these filters."}
        </Empty>
      )}
    </Panel>
  );
}

/** What looks different stays, what leaves checks out goes. */
const cleared = (search: HealthSearch) =>
  listPath(search, {
    query: "",
    status: "all",
    labels: {},
    timeRange: "",
    tab: "",
    open: {},
    pivotLabel: "",
  });
