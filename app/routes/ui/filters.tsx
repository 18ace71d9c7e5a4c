import { FilterForm } from "#app/ui/filter-form.tsx";
import { FilterText } from "#app/ui/filter-text.tsx";
import { MultiSelect } from "#app/ui/multi-select.tsx";
import { SearchForm } from "#app/ui/search-form.tsx";
import { FilterSelect, optionsOf } from "#app/ui/select.tsx";
import { TriState, TriStateSelect } from "#app/ui/tri-state.tsx";
import { Columns, Example, Examples } from "./example.tsx";
import { KINDS, uiSearch, type UiSearch } from "./search.ts";

const LABELS = [
  "critical-path:true",
  "pci:true",
  "region:eu-west",
  "region:us-east",
  "region:depot",
  "team:checkout",
  "team:ledger",
  "team:payments",
  "team:platform",
];

export function Filters({ search }: { search: UiSearch }) {
  const keepBut = (changed: Partial<UiSearch>) => uiSearch.entries({ ...search, ...changed, page: 1 });
  const state = (label: string) => (Object.hasOwn(search.labels, label) ? (search.labels[label] ?? 0) : 0);
  return (
    <Examples
      id="filters"
      lead="A filter is a GET form. With script it sends itself; without, it has a button."
    >
      <Example title="Search">
        <SearchForm
          keep={keepBut({ query: "", status: "all" })}
          value={search.query}
          placeholder="Search by name"
          label="Search examples"
        >
          <FilterSelect
            label="Health"
            name="status"
            value={search.status}
            options={optionsOf(["all", "healthy", "unhealthy"])}
          />
        </SearchForm>
      </Example>
      <Example title="Text with suggestions, several of a list, include and exclude">
        <FilterForm label="filters" keep={keepBut({ duration: "", kinds: [], labels: {} })}>
          <FilterText
            label="Duration"
            name="duration"
            value={search.duration}
            placeholder="All"
            suggestions={["100ms", "1s", "5s"]}
            error={search.duration.length > 6 ? "This is too long for a duration" : null}
          />
          <MultiSelect
            label="Kind"
            name="kinds"
            noun="kinds"
            options={optionsOf(KINDS)}
            chosen={search.kinds}
          />
          <TriStateSelect
            label="Labels"
            name="labels"
            noun="labels"
            options={LABELS.map((value) => ({ value, label: value.replace(":", ": ") }))}
            marks={search.labels}
          />
        </FilterForm>
      </Example>
      <Columns>
        <Example title="Tri-states in a panel">
          <FilterForm label="labels" keep={keepBut({ labels: {} })}>
            <div className="grid w-60">
              {LABELS.slice(0, 4).map((label) => (
                <TriState key={label} name="labels" option={label} state={state(label)} />
              ))}
            </div>
          </FilterForm>
        </Example>
      </Columns>
    </Examples>
  );
}
