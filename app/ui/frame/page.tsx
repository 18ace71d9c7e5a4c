import type { ReactNode } from "react";

/** The sheet of a page under the top bar: one column with even gaps, never wider than is read well. */
export function Page({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto grid max-w-(--page-width) grid-cols-[minmax(0,1fr)] content-start gap-4 px-5 pt-4 pb-12 max-sm:gap-3 max-sm:p-3 max-sm:pb-12">
      {children}
    </div>
  );
}

/** A quiet frame for what is not a table: an empty state, a form. */
export function Panel({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label} className="rounded-lg border border-line bg-surface">
      {children}
    </section>
  );
}
