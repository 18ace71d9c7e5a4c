import { Funnel } from "lucide-react";
import type { CheckPage } from "#app/contract/rows/check-page.ts";
import { GROUP_BY, HEALTH_SEARCH_PLACEHOLDER, TAB_BY } from "#app/contract/words/checks.ts";
import { sortedTabs } from "#app/features/checks/model.ts";
import {
  healthPath,
  healthSearch,
  listPath,
  withoutDrawer,
  type HealthSearch,
} from "#app/features/checks/paths.ts";
import { count } from "#app/lib/format/count.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { FilterForm } from "#app/ui/filter-form.tsx";
import { CountBadge } from "#app/ui/marks/badge.tsx";
import { SearchForm } from "#app/ui/search-form.tsx";
import { FilterSelect, type Option } from "#app/ui/select.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { filtersOf } from "./chips.tsx";

type FiltersProps = { search: HealthSearch; checks: Pick<CheckPage, "labels" | "tabs" | "found"> };

/** The default is the empty choice, so that it stays out of the address also where no script sends the form. */
const choices = (fixed: readonly Option[], keys: readonly string[], usual: string): Option[] => {
  const taken = new Set(fixed.map(({ value }) => value));
  const labels = [...keys, usual].filter((key) => !taken.has(key));
  const all = [...fixed, ...[...new Set(labels)].map((key) => ({ value: key, label: key }))];
  return all.map(({ value, label }) => ({ value: value === usual ? "" : value, label }));
};
const chosen = (value: string, usual: string) => (value === usual ? "" : value);

/** Search, grouping and tabs by what (specification 1 §2). */
export function HealthFilters({ search, checks }: FiltersProps) {
  const keys = checks.labels.map(({ key }) => key);
  const list = { ...withoutDrawer(search), open: {}, page: 1 };
  const { usual } = search;
  const on = filtersOf(search).length + (search.hidePassing ? 1 : 0);
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:[&_label]:flex-auto max-sm:[&>form]:flex-auto">
      <SearchForm
        keep={healthSearch.entries({ ...list, query: "", groupBy: undefined })}
        value={search.query}
        placeholder={HEALTH_SEARCH_PLACEHOLDER}
        label="Search checks"
      >
        <FilterSelect
          label="Group by"
          name="groupBy"
          value={chosen(search.groupBy, usual.groupBy)}
          options={choices(GROUP_BY, keys, usual.groupBy)}
        />
      </SearchForm>
      {/* A form of its own: the open tab goes when the tabs become others. */}
      <FilterForm label="Tab by" keep={healthSearch.entries({ ...list, tab: "", tabBy: undefined })}>
        <FilterSelect
          label="Tab by"
          name="tabBy"
          value={chosen(search.tabBy, usual.tabBy)}
          options={choices(TAB_BY, keys, usual.tabBy)}
        />
      </FilterForm>
      <ButtonLink
        to={healthPath({ ...withoutDrawer(search), filters: !search.filters })}
        preventScrollReset
        aria-expanded={search.filters}
        className="xl:hidden max-sm:flex-auto"
      >
        <Funnel aria-hidden="true" />
        Filters
        {on > 0 ? <CountBadge value={count(on)} /> : null}
      </ButtonLink>
    </div>
  );
}

/** More tabs than these are chosen from a list. */
const MOST_TABS = 40;

/** All, then the values by alphabet; lit where something fails. */
export function HealthTabs({ search, checks }: FiltersProps) {
  const tabs = sortedTabs(checks.tabs, search.tab);
  if (tabs.length === 0) return null;
  const name = TAB_BY.find(({ value }) => value === search.tabBy)?.label ?? search.tabBy;
  if (tabs.length > MOST_TABS) {
    const keep = healthSearch.entries({ ...withoutDrawer(search), tab: "", open: {}, page: 1 });
    const options = tabs.map(({ value, ...tab }) => ({ value, label: `${value} (${count(tab.checks)})` }));
    return (
      <FilterForm label={name} keep={keep}>
        <FilterSelect
          label={name}
          name="tab"
          value={search.tab}
          options={[{ value: "", label: `All (${count(checks.found.checks)})` }, ...options]}
        />
      </FilterForm>
    );
  }
  const all = {
    to: listPath(search, { tab: "" }),
    label: "All",
    current: search.tab === "",
    count: count(checks.found.checks),
  };
  return (
    <Tabs
      label={name}
      tabs={[
        all,
        ...tabs.map(({ value, failing }) => ({
          to: listPath(search, { tab: value }),
          label: value,
          current: search.tab === value,
          ...(failing > 0 ? { count: count(failing), tone: "unhealthy" as const } : {}),
        })),
      ]}
    />
  );
}
