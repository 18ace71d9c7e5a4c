import type { ReactNode } from "react";

/** A section of the page, and what a newcomer should know about it. */
export function Examples({ id, lead, children }: { id: string; lead: string; children: ReactNode }) {
  return (
    <section
      aria-labelledby={`${id}-title`}
      className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-lg border border-line bg-surface p-5 max-sm:p-3"
    >
      <header>
        <h2 id={`${id}-title`} className="text-lg tracking-tight first-letter:uppercase">
          <span id={id}>{id}</span>
        </h2>
        <p className="max-w-160 text-pretty text-muted">{lead}</p>
      </header>
      {children}
    </section>
  );
}

/** One component in its states. */
export function Example({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-2">
      <h3 className="text-xs font-medium text-faint">{title}</h3>
      {children}
    </div>
  );
}

/** States side by side. */
export function Line({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-x-4 gap-y-2">{children}</div>;
}

/** Examples beside one another where there is room. */
export function Columns({ children }: { children: ReactNode }) {
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,20rem),1fr))] items-start gap-5">
      {children}
    </div>
  );
}
