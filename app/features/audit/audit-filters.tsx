import { Form } from "@remix-run/react";
import { CalendarRange } from "lucide-react";
import type { ReactNode } from "react";
import { AUDIT_ACTIONS, AUDIT_KINDS, AUDIT_RANGES } from "#app/contract/words/audit.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { FilterForm } from "#app/ui/filter-form.tsx";
import { FilterText } from "#app/ui/filter-text.tsx";
import { Menu } from "#app/ui/menu.tsx";
import { FilterSelect } from "#app/ui/select.tsx";
import { auditSearch, type AuditSearch } from "./paths.ts";

const ALL = { value: "", label: "All" };
const optionsOf = (words: ReadonlyMap<string, string>) => [
  ALL,
  ...[...words]
    .map(([value, label]) => ({ value, label }))
    .sort((a, b) => a.label.localeCompare(b.label, "en")),
];
const ACTIONS = optionsOf(AUDIT_ACTIONS);
const KINDS = optionsOf(AUDIT_KINDS);
const CUSTOM = { value: "", label: "Custom" };
/** What other filters leave behind. */
const AFRESH = { page: 1, id: 0 } as const;

/** Who, what, which record and when, all in the address; `children` is what else can be done with the list. */
export function AuditFilters({ search, children }: { search: AuditSearch; children: ReactNode }) {
  const isCustom = search.from !== "" || search.to !== "";
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:grid max-sm:grid-cols-2">
      <FilterForm
        label="filters"
        fills
        keep={auditSearch.entries({
          ...search,
          ...AFRESH,
          person: "",
          action: "",
          kind: "",
          record: "",
          range: "30d",
        })}
      >
        <FilterText label="Person" name="person" value={search.person} placeholder="Anybody" />
        <FilterSelect label="Action" name="action" value={search.action} options={ACTIONS} />
        <FilterSelect label="Kind" name="kind" value={search.kind} options={KINDS} />
        <FilterText label="Record" name="record" value={search.record} placeholder="Any" />
        {isCustom ? null : (
          <FilterSelect label="Time" name="range" value={search.range} options={AUDIT_RANGES} />
        )}
      </FilterForm>
      {isCustom ? (
        <FilterForm
          label="time"
          fills
          keep={auditSearch.entries({ ...search, ...AFRESH, from: "", to: "", range: "30d" })}
        >
          <FilterSelect label="Time" name="range" value="" options={[CUSTOM, ...AUDIT_RANGES]} />
        </FilterForm>
      ) : null}
      <span className="flex flex-1 items-center justify-between gap-2">
        <CustomTime search={search} />
        {children}
      </span>
    </div>
  );
}

/** Two fields for those who want it to the minute. */
function CustomTime({ search }: { search: AuditSearch }) {
  return (
    <Menu label="Custom time" trigger={<CalendarRange aria-hidden="true" />} look="secondary">
      <Form preventScrollReset className="grid w-64 gap-1 p-2 whitespace-normal max-sm:w-full">
        {auditSearch.entries({ ...search, ...AFRESH, from: "", to: "" }).map(([name, kept]) => (
          <input key={name} type="hidden" name={name} value={kept} />
        ))}
        <Field label="From (UTC)" id="audit-from">
          <Input
            id="audit-from"
            name="from"
            type="datetime-local"
            required
            key={search.from}
            defaultValue={search.from}
          />
        </Field>
        <Field label="To (UTC)" id="audit-to" hint="Empty: until now">
          <Input id="audit-to" name="to" type="datetime-local" key={search.to} defaultValue={search.to} />
        </Field>
        <Button look="primary">Show this time</Button>
      </Form>
    </Menu>
  );
}
