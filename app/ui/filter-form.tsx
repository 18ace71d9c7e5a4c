import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { buttonClass } from "./button.tsx";
import { useAutoSubmit } from "./parts/use-auto-submit.ts";

/**
 * A GET form of selects: it submits itself when one changes, and has a button where there is no script. `keep` carries
 * the filters it does not edit.
 */
export function FilterForm({
  label,
  keep,
  children,
}: {
  /** What the button applies, for the ear. */
  label: string;
  keep: readonly [string, string][];
  children: ReactNode;
}) {
  const { form, submitSoon, cancel } = useAutoSubmit(0);
  return (
    <Form
      ref={form}
      preventScrollReset
      onChange={() => submitSoon()}
      onSubmit={cancel}
      className="flex flex-wrap items-center gap-2"
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
