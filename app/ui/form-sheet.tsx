import type { ReactNode } from "react";
import { LINK } from "./button.tsx";
import { Notice } from "./notice.tsx";

/** A long form on one sheet: sections with their heading at the left, fields at the right. */
export function FormSheet({ children }: { children: ReactNode }) {
  return (
    <div className="divide-y divide-line rounded-lg border border-line bg-surface [&_:is(input,select,textarea,button)]:scroll-my-24">
      {children}
    </div>
  );
}

export function FormSection({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: string;
  children: ReactNode;
}) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-3 p-5 max-sm:px-4 lg:grid-cols-[15rem_minmax(0,var(--form-width))]">
      <header>
        <h2>{title}</h2>
        {lead ? <p className="mt-1 text-pretty text-muted">{lead}</p> : null}
      </header>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,17rem),1fr))] gap-x-4 gap-y-2">
        {children}
      </div>
    </section>
  );
}

/** A field that takes the whole line of its section. */
export const WIDE_FIELD = "col-span-full";

/**
 * The bar that stays in sight under a long form: what deletes stands far left, what saves far right.
 */
export function FormFoot({ danger, children }: { danger?: ReactNode; children: ReactNode }) {
  return (
    <div
      data-foot
      className="sticky bottom-0 z-(--layer-sticky) -mx-5 flex flex-wrap items-center gap-2 border-t border-line bg-canvas px-5 py-3 max-sm:-mx-3 max-sm:px-3"
    >
      {danger}
      <div className="ml-auto flex flex-wrap gap-2">{children}</div>
    </div>
  );
}

const NUMBERS = ["one field needs", "two fields need", "three fields need", "four fields need"];

/** What has to be mended before it can be saved, each a link to its field. Nothing when nothing has. */
export function ErrorSummary({
  errors,
}: {
  errors: readonly { id: string; label: string; message: string }[];
}) {
  if (errors.length === 0) return null;
  return (
    <Notice tone="unhealthy">
      <p className="font-semibold">
        Not saved: {NUMBERS[errors.length - 1] ?? `${errors.length} fields need`} a look
      </p>
      <ul className="mt-1">
        {errors.map(({ id, label, message }) => (
          <li key={id}>
            <a href={`#${id}`} className={LINK}>
              {label}
            </a>{" "}
            — {message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
