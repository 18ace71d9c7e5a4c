import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { CountBadge } from "./marks/badge.tsx";

/** A stack of sections beside the content; below 80 rem it stands under it. Actions stay on top. */
export function SidePanel({
  label,
  actions,
  children,
}: {
  label: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <aside
      aria-label={label}
      className="overflow-clip rounded-lg border border-line bg-surface xl:sticky xl:top-[calc(var(--topbar-height)+1rem)] xl:max-h-[calc(100dvh-var(--topbar-height)-2rem)] xl:overflow-y-auto"
    >
      {actions ? <div className="flex flex-wrap gap-2 border-b border-line px-4 py-3">{actions}</div> : null}
      <div className="divide-y divide-line">{children}</div>
    </aside>
  );
}

/**
 * A part that folds, without script. Give sections the same `name` and only one of them is open. A section without
 * `open` starts folded.
 */
export function Section({
  title,
  icon,
  count,
  aside,
  name,
  open = false,
  children,
}: {
  title: string;
  icon?: ReactNode;
  count?: string;
  /** At the end of the head, before the chevron. */
  aside?: ReactNode;
  name?: string;
  open?: boolean;
  children: ReactNode;
}) {
  return (
    <details open={open} name={name} className="group/section">
      <summary className="flex min-h-10 items-center gap-2 pr-3 pl-4 font-medium hover:bg-hover focus-visible:-outline-offset-3 pointer-coarse:min-h-11 [&>svg]:size-4 [&>svg]:flex-none [&>svg]:text-faint">
        {icon}
        <h2 className="min-w-0 font-medium wrap-anywhere">{title}</h2>
        {count === undefined ? null : <CountBadge value={count} />}
        <span className="ml-auto">{aside}</span>
        <ChevronRight aria-hidden="true" className="transition-transform group-open/section:rotate-90" />
      </summary>
      <div className="px-4 pt-1 pb-4">{children}</div>
    </details>
  );
}
