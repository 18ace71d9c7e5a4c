import { Form } from "@remix-run/react";
import { Search } from "lucide-react";
import type { ChangeEvent, ReactNode } from "react";
import { buttonClass } from "./button.tsx";
import { CONTROL } from "./parts/control.ts";
import { cx } from "./parts/cx.ts";
import { useAutoSubmit } from "./parts/use-auto-submit.ts";

type SearchFormProps = {
  /** The filters this form does not edit, carried along as hidden inputs: `search.entries({…})`. */
  keep: readonly [string, string][];
  name?: string;
  value: string;
  placeholder: string;
  /** What is searched, for those who do not see the placeholder. */
  label: string;
  /** Milliseconds of rest before it submits itself (specification 1 §9: 400 generally). */
  delay?: number;
  /** More filters of the same form, drawn after the box. */
  children?: ReactNode;
};

/**
 * A GET form of one search box and what stands beside it, drawn in a row that wraps: on a phone its parts are parts of
 * that row. The magnifier is its button, with and without script; without, the filters beside it have one that says so.
 */
export function SearchForm({
  keep,
  name = "query",
  value,
  placeholder,
  label,
  delay = 400,
  children,
}: SearchFormProps) {
  const { form, submitSoon, cancel } = useAutoSubmit(delay);
  const changed = (event: ChangeEvent<HTMLFormElement>) =>
    submitSoon((event.target as HTMLElement).tagName === "SELECT" ? 0 : delay);
  return (
    <Form
      ref={form}
      role="search"
      preventScrollReset
      onChange={changed}
      onSubmit={cancel}
      className="flex flex-wrap items-center gap-2 max-sm:contents"
    >
      {keep.map(([key, kept]) => (
        <input key={`${key}=${kept}`} type="hidden" name={key} value={kept} />
      ))}
      <span className="relative flex w-88 max-w-full min-w-40 max-lg:w-64 max-sm:w-full">
        <button
          aria-label="Search"
          title="Search"
          className="absolute inset-y-0 left-0 grid w-8 place-items-center rounded-md text-faint hover:text-ink"
        >
          <Search aria-hidden="true" className="size-4" />
        </button>
        <input
          type="search"
          name={name}
          defaultValue={value}
          placeholder={placeholder}
          aria-label={label}
          autoComplete="off"
          className={cx(CONTROL, "pl-8")}
        />
      </span>
      {children}
      {children ? (
        <noscript>
          <button className={buttonClass()}>Apply</button>
        </noscript>
      ) : null}
    </Form>
  );
}
