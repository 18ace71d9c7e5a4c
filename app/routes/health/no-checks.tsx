import { healthPath, withoutDrawer, type HealthSearch } from "#app/features/checks/paths.ts";
import type { CheckCounts } from "#app/features/checks/queries.server.ts";
import { counted } from "#app/lib/format/count.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Card } from "#app/ui/frame/page.tsx";

type NoChecksProps = { search: HealthSearch; counts: CheckCounts; total: number; canAdd: boolean };

/** Why the table is empty, and the way on: a page too far, nothing fails, nothing matches, or nothing is watched yet. */
export function NoChecks({ search, counts, total, canAdd }: NoChecksProps) {
  return (
    <Card label="Checks">
      {total > 0 ? (
        <Empty
          actions={<ButtonLink to={healthPath({ ...withoutDrawer(search), page: 1 })}>First page</ButtonLink>}
        >
          There is no page {search.page}: {counted(total, "check")} in all.
        </Empty>
      ) : counts.total === 0 ? (
        <Empty title="No checks yet">
          {canAdd
            ? "Checks come from canaries. Add one through the API (POST /api/db/canaries) or a configuration file, and its first result appears here within seconds."
            : "Nothing is being watched yet. Ask an editor or an administrator to add a check."}
        </Empty>
      ) : search.status === "unhealthy" &&
        !search.query &&
        counts.failing === 0 &&
        counts.passing === counts.total ? (
        <Empty
          title={counts.total === 1 ? "The check passes" : `All ${counted(counts.total, "check")} pass`}
          actions={<ButtonLink to={healthPath()}>Show all checks</ButtonLink>}
        >
          Nothing needs you.
        </Empty>
      ) : (
        <Empty
          actions={
            <ButtonLink to={healthPath({ pageSize: search.pageSize, sort: search.sort })}>
              Clear filters
            </ButtonLink>
          }
        >
          No check matches these filters.
        </Empty>
      )}
    </Card>
  );
}
