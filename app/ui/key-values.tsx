import type { ReactNode } from "react";
import { cx } from "./parts/cx.ts";

/** Facts of one thing: a quiet key, its value beside it. The heading sets a group apart from the one above. */
export function KeyValues({ heading, children }: { heading?: string; children: ReactNode }) {
  return (
    <div className="not-first:mt-4">
      {heading ? (
        <h3 className="mb-2 border-b border-dashed border-line-strong pb-1 text-xs font-medium text-muted">
          {heading}
        </h3>
      ) : null}
      <dl className="grid grid-cols-[minmax(5.75rem,min(30%,11rem))_minmax(0,1fr)] gap-x-3 gap-y-1.75">
        {children}
      </dl>
    </div>
  );
}

/** One line of `KeyValues`; with nothing to say there is no line, unless `dash` keeps its place. */
export function KeyValue({
  name,
  mono = false,
  dash = false,
  children,
}: {
  name: string;
  mono?: boolean;
  dash?: boolean;
  children?: ReactNode;
}) {
  const isEmpty = children === null || children === undefined || children === "" || children === false;
  if (isEmpty && !dash) return null;
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd
        className={cx(
          "flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-0.5 wrap-anywhere",
          mono && "font-mono text-xs",
        )}
      >
        {isEmpty ? <span className="text-faint">–</span> : children}
      </dd>
    </>
  );
}
