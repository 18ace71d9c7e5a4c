import { useId } from "react";
import { Glyph } from "./marks/glyph.tsx";
import { FILTER_FRAME } from "./select.tsx";
import { cx } from "./parts/cx.ts";

/**
 * A filter that can be typed: "Duration **500ms**", with suggestions. What cannot be read is said under it; the filter
 * is then off, and what was typed stays.
 */
export function FilterText({
  label,
  name,
  value,
  placeholder,
  suggestions = [],
  error,
}: {
  label: string;
  name: string;
  value: string;
  placeholder: string;
  suggestions?: readonly string[];
  error?: string | null;
}) {
  const id = useId();
  return (
    <>
      <label className={cx(FILTER_FRAME, error && "border-unhealthy")}>
        <span className="pl-2.5 whitespace-nowrap text-muted">{label}</span>
        <input
          type="text"
          name={name}
          defaultValue={value}
          placeholder={placeholder}
          list={suggestions.length > 0 ? `${id}-list` : undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          autoComplete="off"
          className="min-h-[calc(var(--control-height)-2px)] w-24 min-w-0 flex-1 rounded-md bg-transparent px-1.5 font-medium text-ink placeholder:text-ink placeholder:opacity-100 pointer-coarse:text-lg"
        />
      </label>
      {suggestions.length > 0 ? (
        <datalist id={`${id}-list`}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      ) : null}
      {error ? (
        <p
          id={`${id}-error`}
          role="alert"
          className="order-last flex basis-full items-center gap-1.5 text-xs text-unhealthy-ink"
        >
          <Glyph name="unhealthy" tone="unhealthy" className="size-2.75" />
          {error}
        </p>
      ) : null}
    </>
  );
}
