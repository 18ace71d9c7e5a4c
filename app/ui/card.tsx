import type { ReactNode } from "react";
import { cx } from "./parts/cx.ts";

/**
 * A frame of lines around one thing: a head with its title and what can be done, a body, summary lines at the foot. A
 * card that needs somebody is lit at its edge.
 */
export function Card({
  title,
  heading: Heading = "h2",
  status,
  actions,
  summary,
  lit = false,
  children,
}: {
  title: ReactNode;
  heading?: "h2" | "h3";
  /** Beside the title. */
  status?: ReactNode;
  /** At the end of the head. */
  actions?: ReactNode;
  /** Lines under the body, each its own. */
  summary?: ReactNode;
  lit?: boolean;
  children?: ReactNode;
}) {
  return (
    <section
      className={cx(
        "overflow-clip rounded-lg border border-line bg-surface",
        lit && "shadow-[inset_2px_0_0_var(--color-unhealthy)]",
      )}
    >
      <header className="flex min-h-10 flex-wrap items-center gap-2 border-b border-line py-1 pr-3 pl-4">
        <Heading className="min-w-0 wrap-anywhere">{title}</Heading>
        {status}
        {actions ? <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div> : null}
      </header>
      {children ? <div className="p-4">{children}</div> : null}
      {summary ? (
        <footer
          className={cx("grid divide-y divide-line text-muted", Boolean(children) && "border-t border-line")}
        >
          {summary}
        </footer>
      ) : null}
    </section>
  );
}

/** One line at the foot of a card: a name, and marks at the end. */
export function SummaryLine({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-3 px-4 py-1">
      <span className="min-w-0 wrap-anywhere text-ink">{name}</span>
      <span className="flex flex-wrap items-center gap-x-3">{children}</span>
    </div>
  );
}
