import type { ReactNode } from "react";
import type { CheckPage } from "#app/contract/rows/check-page.ts";
import { labelId, labelWords } from "#app/features/checks/label-marks.ts";
import { healthSearch, withoutDrawer, type HealthSearch } from "#app/features/checks/paths.ts";
import type { Marks } from "#app/lib/search.ts";
import { FilterForm } from "#app/ui/filter-form.tsx";
import { MultiSelect } from "#app/ui/multi-select.tsx";
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

/** Longer lists are of check boxes: three radios for each of a hundred values would be most of the page. */
const MOST_TRI_STATES = 8;
const isLong = (values: readonly string[]) => values.length > MOST_TRI_STATES;
const idsOf = (key: string, values: readonly string[]) => values.map((value) => labelId(key, value));

/** A label that says one thing is included, excluded or neither; of one that says many, several are chosen. */
export function LabelFilters({ search, labels }: { search: HealthSearch; labels: CheckPage["labels"] }) {
  const offered = new Set(labels.flatMap(({ key, values }) => idsOf(key, values)));
  const boxed = new Set(labels.flatMap(({ key, values }) => (isLong(values) ? idsOf(key, values) : [])));
  // What no control of the form says: labels that are not offered, and excluded ones that have a check box only.
  const kept: Marks = Object.fromEntries(
    Object.entries(search.labels).filter(([id, mark]) => !offered.has(id) || (mark === -1 && boxed.has(id))),
  );
  const list = { ...withoutDrawer(search), open: {}, page: 1, labels: kept };
  return (
    <Section title="Labels">
      <FilterForm label="labels" keep={healthSearch.entries(list)}>
        <div className="grid w-full gap-1 [&_details]:w-full [&_summary]:w-full [&_summary]:justify-start [&_summary>svg]:ml-auto">
          {labels.map(({ key, values }) => (
            <LabelFilter key={key} label={key} values={values} marks={search.labels} />
          ))}
        </div>
      </FilterForm>
    </Section>
  );
}

function LabelFilter({ label, values, marks }: { label: string; values: readonly string[]; marks: Marks }) {
  const ids = idsOf(label, values);
  const [only] = ids;
  if (only === undefined) return null;
  if (ids.length === 1)
    return <TriState name="labels" option={only} label={labelWords(only)} state={marks[only] ?? 0} />;
  const options = values.map((value) => ({ value: labelId(label, value), label: value }));
  if (isLong(values)) {
    const chosen = ids.filter((id) => marks[id] === 1);
    return <MultiSelect name="labels.in" label={label} noun="labels" options={options} chosen={chosen} />;
  }
  const own = Object.fromEntries(ids.flatMap((id) => (marks[id] ? [[id, marks[id]]] : [])));
  return <TriStateSelect name="labels" label={label} noun="labels" options={options} marks={own} />;
}
