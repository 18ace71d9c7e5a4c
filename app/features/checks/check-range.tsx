import { Form, Link } from "@remix-run/react";
import { TIME_RANGES } from "#app/contract/words/checks.ts";
import { Button, LINK } from "#app/ui/button.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { FilterForm } from "#app/ui/filter-form.tsx";
import { Menu } from "#app/ui/menu.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { FilterSelect } from "#app/ui/select.tsx";
import { CalendarRange } from "lucide-react";
import { instantText } from "./drawer-range.ts";
import { healthPath, healthSearch, type HealthSearch } from "./paths.ts";
import type { CheckInDrawer } from "./drawer.server.ts";

type CheckRangeProps = { range: CheckInDrawer["range"]; search: HealthSearch };

/** Another range begins with its first pages and without an opened row. */
const AFRESH = {
  timeRange: "",
  drawerFrom: "",
  drawerTo: "",
  historyPage: 1,
  historyRun: "",
  eventsPage: 1,
} as const;

/** Where the chart's brush leads: the two instants, ms, as the address writes them. */
export const brushedPath = (search: HealthSearch, from: number, to: number) =>
  healthPath({ ...search, ...AFRESH, drawerFrom: instantText(from), drawerTo: instantText(to) });

/** What the drawer looks at: one of the ranges, or two instants. */
export function CheckRange({ range, search }: CheckRangeProps) {
  const keep = healthSearch.entries({ ...search, ...AFRESH });
  const options = range.value === null ? [{ value: "", label: "Custom" }, ...TIME_RANGES] : TIME_RANGES;
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <FilterForm label="Time range" keep={keep}>
        <FilterSelect label="Time range" name="timeRange" value={range.value ?? ""} options={options} />
      </FilterForm>
      <CustomRange range={range} search={search} keep={keep} />
    </div>
  );
}

/** Two fields for those who cannot draw on the chart, or want it to the minute. */
function CustomRange({ range, search, keep }: CheckRangeProps & { keep: [string, string][] }) {
  const { drawerFrom, drawerTo } = search;
  return (
    <Menu label="Custom range" trigger={<CalendarRange aria-hidden="true" />} look="secondary">
      <Form preventScrollReset className="grid w-64 gap-1 p-2 whitespace-normal max-sm:w-full">
        {keep.map(([key, kept]) => (
          <input key={`${key}=${kept}`} type="hidden" name={key} value={kept} />
        ))}
        <Field label="From (UTC)" id="drawer-from">
          <Input
            id="drawer-from"
            name="drawerFrom"
            type="datetime-local"
            required
            key={drawerFrom}
            defaultValue={range.error ? drawerFrom : instantText(range.from)}
          />
        </Field>
        <Field label="To (UTC)" id="drawer-to" hint="Empty: until now">
          <Input
            id="drawer-to"
            name="drawerTo"
            type="datetime-local"
            key={drawerTo}
            defaultValue={range.error ? drawerTo : range.value === null ? instantText(range.to) : ""}
          />
        </Field>
        <Button look="primary">Show this range</Button>
      </Form>
    </Menu>
  );
}

/** What is wrong with the two instants, or which they are with the way back. */
export function CheckRangeNote({ range, search }: CheckRangeProps) {
  if (range.error)
    return (
      <Notice tone="warning" role="alert">
        {range.error}. Shown is the time {range.words}.
      </Notice>
    );
  if (range.value !== null) return null;
  return (
    <p className="text-xs text-muted">
      Shown is the time {range.words}.{" "}
      <Link to={healthPath({ ...search, ...AFRESH })} preventScrollReset className={LINK}>
        Show the usual range
      </Link>
    </p>
  );
}
