import { STATUS_HISTORY_DURATIONS } from "#app/contract/words/checks.ts";
import { FilterForm } from "#app/ui/filter-form.tsx";
import { FilterText } from "#app/ui/filter-text.tsx";
import { FilterSelect } from "#app/ui/select.tsx";
import { capitalised } from "#app/ui/marks/status.tsx";
import { HISTORY_STATUSES } from "./history-filter.ts";
import { healthSearch, type HealthSearch } from "./paths.ts";

const STATUSES = HISTORY_STATUSES.map((value) => ({ value, label: capitalised(value) }));

/** Status and least duration of the history, both in the address (specification 1 §2 and §5). */
export function HistoryFilters({ search, error }: { search: HealthSearch; error: string | null }) {
  const keep = healthSearch.entries({
    ...search,
    historyStatus: "all",
    historyDuration: "",
    historyPage: 1,
  });
  return (
    <FilterForm label="history filters" keep={keep}>
      <FilterSelect label="Status" name="historyStatus" value={search.historyStatus} options={STATUSES} />
      <FilterText
        label="Duration"
        name="historyDuration"
        value={search.historyDuration}
        placeholder="All"
        suggestions={STATUS_HISTORY_DURATIONS}
        error={error}
      />
    </FilterForm>
  );
}
