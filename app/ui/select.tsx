import { ChevronDown } from "lucide-react";
import { useEffect, useRef } from "react";

export type Option = { value: string; label: string; disabled?: boolean };

/** Options from a list of words that are their own labels. */
export const optionsOf = (values: readonly string[]): Option[] =>
  values.map((value) => ({ value, label: value }));

/** The frame of a filter: its label is part of the control. */
export const FILTER_FRAME =
  "relative inline-flex min-w-0 items-center rounded-md border border-line-strong bg-surface shadow-control transition-colors hover:border-control";

/**
 * A filter that says what it filters and what it is set to: "Status **All**". Its value is the URL's: when the address
 * changes under it (Back, "Clear filters"), it follows.
 */
export function FilterSelect({
  label,
  name,
  value,
  options,
}: {
  label: string;
  name: string;
  value: string;
  options: readonly Option[];
}) {
  const select = useRef<HTMLSelectElement>(null);
  const followed = useRef(value);
  useEffect(() => {
    if (!select.current || followed.current === value) return; // what was chosen before the script is not undone
    followed.current = select.current.value = value;
  }, [value]);
  return (
    <label className={FILTER_FRAME}>
      <span className="pl-2.5 whitespace-nowrap text-muted">{label}</span>
      <select
        ref={select}
        name={name}
        defaultValue={value}
        autoComplete="off" // or Back shows a choice that the address does not have
        className="min-h-[calc(var(--control-height)-2px)] min-w-0 flex-1 appearance-none rounded-md bg-transparent pr-7 pl-1.5 font-medium text-ink [&>option]:bg-raised pointer-coarse:text-lg"
      >
        <Options options={options} />
      </select>
      <ChevronDown aria-hidden="true" className="pointer-events-none absolute right-2 size-3.5 text-muted" />
    </label>
  );
}

export function Options({ options }: { options: readonly Option[] }) {
  return (
    <>
      {options.map(({ value, label, disabled }) => (
        <option key={value} value={value} disabled={disabled}>
          {label}
        </option>
      ))}
    </>
  );
}
