import type { CheckPage } from "#app/contract/rows/check-page.ts";
import { HEALTH_LAYOUTS, PIVOT_CELLS, TIME_RANGES } from "#app/contract/words/checks.ts";
import {
  healthPath,
  healthSearch,
  listPath,
  listRange,
  withoutDrawer,
  type HealthSearch,
} from "#app/features/checks/paths.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { FilterForm } from "#app/ui/filter-form.tsx";
import { cx } from "#app/ui/parts/cx.ts";
import { PostForm } from "#app/ui/post-form.tsx";
import { SegmentedLinks } from "#app/ui/segmented.tsx";
import { FilterSelect } from "#app/ui/select.tsx";
import { SwitchLink } from "#app/ui/switch-link.tsx";
import { LabelFilters, Section } from "./label-filters.tsx";

type Labels = CheckPage["labels"];
type PanelProps = { search: HealthSearch; labels: Labels };

const LAYOUTS = { table: "Table", card: "Cards" } as const;
const CELLS = { checkStatuses: "Status", latency: "Latency", uptime: "Uptime" } as const;

/**
 * What the list leaves out and how it is shown (facts/ui-screens §3.2). Beside the list where there is room; else a part
 * of the page that a button opens, by the address.
 */
export function HealthPanel({ search, labels }: PanelProps) {
  const list = { ...withoutDrawer(search), open: {}, page: 1 };
  const { pivotLabel } = search;
  return (
    <aside
      aria-label="Filters"
      className={cx(
        "grid content-start gap-5 xl:col-start-1 xl:row-span-2 xl:row-start-1 max-xl:rounded-lg max-xl:border max-xl:border-line max-xl:bg-surface max-xl:p-4 max-xl:sm:grid-cols-2",
        !search.filters && "max-xl:hidden",
      )}
    >
      {search.status === "all" ? (
        <Section title="Health">
          <span className="-mx-[13px] flex [&>a]:flex-1 [&>a]:justify-between">
            <SwitchLink
              to={listPath(search, { hidePassing: !search.hidePassing })}
              on={search.hidePassing}
              label="Hide passing"
            />
          </span>
        </Section>
      ) : null}
      <Section title="Time range">
        <FilterForm label="time range" keep={healthSearch.entries({ ...list, timeRange: "" })}>
          <FilterSelect
            label="Range"
            name="timeRange"
            value={listRange(search)}
            options={[{ value: "", label: "Newest hour" }, ...TIME_RANGES]}
          />
        </FilterForm>
      </Section>
      <Section title="View">
        <SegmentedLinks
          label="Layout"
          segments={HEALTH_LAYOUTS.map((layout) => ({
            to: listPath(search, { layout, pivotLabel: "" }),
            label: LAYOUTS[layout],
            current: search.layout === layout && pivotLabel === "",
          }))}
        />
        {labels.length > 0 ? (
          <FilterForm
            label="pivot"
            keep={healthSearch.entries({ ...list, pivotLabel: "", pivotCellType: undefined })}
          >
            <FilterSelect
              label="Pivot by"
              name="pivotLabel"
              value={pivotLabel}
              options={[
                { value: "", label: "Nothing" },
                ...labels.map(({ key }) => ({ value: key, label: key })),
              ]}
            />
            {pivotLabel === "" ? null : (
              <FilterSelect
                label="Cells show"
                name="pivotCellType"
                value={search.pivotCellType}
                options={PIVOT_CELLS.map((value) => ({ value, label: CELLS[value] }))}
              />
            )}
          </FilterForm>
        ) : null}
        <Remember search={search} />
      </Section>
      {labels.length > 0 ? <LabelFilters search={search} labels={labels} /> : null}
      <Section title="This list as">
        <span className="flex gap-2">
          {["json", "csv"].map((format) => (
            <a
              key={format}
              href={healthPath(list, `/health.${format}`)}
              download={`checks.${format}`}
              className={buttonClass({ size: "small" })}
            >
              {format.toUpperCase()}
            </a>
          ))}
        </span>
      </Section>
    </aside>
  );
}

/** Keeps how the list is shown for the next time; not there while it is what is kept already. */
function Remember({ search }: { search: HealthSearch }) {
  const { hidePassing, groupBy, tabBy, layout, usual } = search;
  const same =
    hidePassing === usual.hidePassing &&
    groupBy === usual.groupBy &&
    tabBy === usual.tabBy &&
    layout === usual.layout;
  if (same) return null;
  const view = { hidePassing, groupBy, tabBy, layout };
  return (
    <PostForm intent="prefer" action="/preferences">
      <input type="hidden" name="return_to" value={healthPath({ ...search, usual: view })} />
      {Object.entries(view).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={String(value)} />
      ))}
      <button className={buttonClass({ size: "small" })}>Show it like this by default</button>
    </PostForm>
  );
}
