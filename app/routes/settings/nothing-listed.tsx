import type { ResourceKind } from "#app/features/resources/resource.ts";
import { newResourcePath, resourcesPath, type ResourcesSearch } from "#app/features/resources/paths.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Panel } from "#app/ui/frame/page.tsx";

interface NothingListedProps {
  kind: Pick<ResourceKind, "table" | "name" | "add" | "empty">;
  search: ResourcesSearch;
  /** Rows on all pages. */
  total: number;
  canWrite: boolean;
}

/** Why the list is empty, and the way on. */
export function NothingListed({ kind, search, total, canWrite }: NothingListedProps) {
  const first = resourcesPath(kind.table, { ...search, page: 1 });
  if (total > 0)
    return (
      <Panel label={kind.name}>
        <Empty actions={<ButtonLink to={first}>First page</ButtonLink>}>
          There is no page {search.page}.
        </Empty>
      </Panel>
    );
  const isFiltered = search.query.trim() !== "";
  const way = isFiltered ? (
    <ButtonLink to={resourcesPath(kind.table)}>Show all</ButtonLink>
  ) : canWrite ? (
    <ButtonLink to={newResourcePath(kind.table)}>{kind.add}</ButtonLink>
  ) : null;
  return (
    <Panel label={kind.name}>
      <Empty actions={way}>{isFiltered ? "Nothing matches this search." : kind.empty}</Empty>
    </Panel>
  );
}
