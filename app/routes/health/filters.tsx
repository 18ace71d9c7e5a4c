import { Link } from "@remix-run/react";
import { X } from "lucide-react";
import type { CheckPage } from "#app/contract/rows/check-page.ts";
import { GROUP_BY, HEALTH_DEFAULTS, HEALTH_SEARCH_PLACEHOLDER, TAB_BY } from "#app/contract/words/checks.ts";
import { sortedTabs } from "#app/features/checks/model.ts";
import { healthSearch, listPath, withoutDrawer, type HealthSearch } from "#app/features/checks/paths.ts";
import { count } from "#app/lib/format/count.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { FilterForm } from "#app/ui/filter-form.tsx";
import { capitalised } from "#app/ui/marks/status.tsx";
import { SearchForm } from "#app/ui/search-form.tsx";
import { FilterSelect, type Option } from "#app/ui/select.tsx";
import { SwitchLink } from "#app/ui/switch-link.tsx";
import { Tabs } from "#app/ui/tabs.tsx";

type FiltersProps = { search: HealthSearch; checks: Pick<CheckPage, "labels" | "tabs" | "found"> };

/** The default is the empty choice, so that it stays out of the address also where no script sends the form. */
const choices = (fixed: readonly Option[], keys: readonly string[], fallback: string): Option[] => {
  const taken = new Set(fixed.map(({ value }) => value));
  const labels = keys.filter((key) => !taken.has(key)).map((key) => ({ value: key, label: key }));
  return [...fixed, ...labels].map(({ value, label }) => ({ value: value === fallback ? "" : value, label }));
};

/** Search, grouping, tabs by what, and what is hidden (specification 1 §2). */
export function HealthFilters({ search, checks }: FiltersProps) {
  const labelKeys = checks.labels.map(({ key }) => key);
  const list = { ...withoutDrawer(search), open: {}, page: 1 };
  const chosen = (value: string, fallback: string) => (value === fallback ? "" : value);
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
          value={chosen(search.groupBy, HEALTH_DEFAULTS.groupBy)}
          options={choices(GROUP_BY, labelKeys, HEALTH_DEFAULTS.groupBy)}
        />
      </SearchForm>
      {/* A form of its own: the open tab goes when the tabs become others. */}
      <FilterForm label="Tab by" keep={healthSearch.entries({ ...list, tab: "", tabBy: undefined })}>
        <FilterSelect
          label="Tab by"
          name="tabBy"
          value={chosen(search.tabBy, HEALTH_DEFAULTS.tabBy)}
          options={choices(TAB_BY, labelKeys, HEALTH_DEFAULTS.tabBy)}
        />
      </FilterForm>
      <span className="ml-auto flex">
        <Hidden search={search} />
      </span>
    </div>
  );
}

/** A status that came with a link shows as what it is, to be taken away; else what passes can be hidden. */
function Hidden({ search }: { search: HealthSearch }) {
  if (search.status === "all")
    return (
      <SwitchLink
        to={listPath(search, { hidePassing: !search.hidePassing })}
        on={search.hidePassing}
        label="Hide passing"
      />
    );
  const status = capitalised(search.status);
  return (
    <Link
      to={listPath(search, { status: "all" })}
      preventScrollReset
      aria-label={`Health: ${status}, remove this filter`}
      className={buttonClass({})}
    >
      <span className="font-normal text-muted">Health</span> {status}
      <X aria-hidden="true" />
    </Link>
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
