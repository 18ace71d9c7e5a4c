import type { ReactNode } from "react";
import type { CheckPage } from "#app/contract/rows/check-page.ts";
import { labelId, labelWords } from "#app/features/checks/label-marks.ts";
import { healthSearch, withoutDrawer, type HealthSearch } from "#app/features/checks/paths.ts";
import type { Marks } from "#app/lib/search.ts";
import { FilterForm } from "#app/ui/filter-form.tsx";
import { TriState, TriStateSelect } from "#app/ui/tri-state.tsx";

/** A part of the filters under its name. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid content-start gap-2">
      <h2 className="text-sm font-medium text-muted">{title}</h2>
      {children}
    </section>
  );
}

/** A label that says one thing is included, excluded or neither; of one that says many, several are chosen. */
export function LabelFilters({ search, labels }: { search: HealthSearch; labels: CheckPage["labels"] }) {
  const offered = new Set(labels.flatMap(({ key, values }) => values.map((value) => labelId(key, value))));
  const kept: Marks = Object.fromEntries(Object.entries(search.labels).filter(([id]) => !offered.has(id)));
  const list = { ...withoutDrawer(search), open: {}, page: 1, labels: kept };
  return (
    <Section title="Labels">
      <FilterForm label="labels" keep={healthSearch.entries(list)}>
        <div className="grid w-full gap-1 [&_details]:w-full [&_summary]:w-full [&_summary]:justify-start [&_summary>svg]:ml-auto">
          {labels.map(({ key, values }) => {
            const ids = values.map((value) => labelId(key, value));
            const [only] = ids;
            if (only === undefined) return null;
            if (ids.length === 1)
              return (
                <TriState
                  key={key}
                  name="labels"
                  option={only}
                  label={labelWords(only)}
                  state={search.labels[only] ?? 0}
                />
              );
            const marks = Object.fromEntries(
              ids.flatMap((id) => (search.labels[id] ? [[id, search.labels[id]]] : [])),
            );
            const options = values.map((value) => ({ value: labelId(key, value), label: value }));
            return (
              <TriStateSelect
                key={key}
                name="labels"
                label={key}
                noun="labels"
                options={options}
                marks={marks}
              />
            );
          })}
        </div>
      </FilterForm>
    </Section>
  );
}
