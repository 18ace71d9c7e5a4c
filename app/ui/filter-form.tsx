import { Form } from "@remix-run/react";
import type { ChangeEvent, ReactNode } from "react";
import { buttonClass } from "./button.tsx";
import { cx } from "./parts/cx.ts";
import { useAutoSubmit } from "./parts/use-auto-submit.ts";

/** Specification 1 §9: searches wait 400 ms for the next key. */
const TYPING_MS = 400;

/**
 * A GET form of selects: it submits itself when one changes, after a rest when it is typed into, and has a button where
 * there is no script. `keep` carries the filters it does not edit.
 */
export function FilterForm({
  label,
  keep,
  fills = false,
  children,
}: {
  /** What the button applies, for the ear. */
  label: string;
  keep: readonly [string, string][];
  /** On a phone its filters are parts of the grid that it stands in. */
  fills?: boolean;
  children: ReactNode;
}) {
  const { form, submitSoon, cancel } = useAutoSubmit(0);
  const changed = ({ target }: ChangeEvent<HTMLFormElement>) =>
    submitSoon((target as HTMLElement).getAttribute("type") === "text" ? TYPING_MS : 0);
  return (
    <Form
      ref={form}
      preventScrollReset
      onChange={changed}
      onSubmit={cancel}
      className={cx("flex flex-wrap items-center gap-2", fills && "max-sm:contents")}
    >
      {keep.map(([key, kept]) => (
        <input key={`${key}=${kept}`} type="hidden" name={key} value={kept} />
      ))}
      {children}
      <noscript>
        <button className={buttonClass()}>
          Apply<span className="sr-only"> {label}</span>
        </button>
      </noscript>
    </Form>
  );
}
