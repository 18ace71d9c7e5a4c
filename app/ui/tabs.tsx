import { Link } from "@remix-run/react";
import { CountBadge } from "./marks/badge.tsx";
import { cx } from "./parts/cx.ts";
import type { Tone } from "./marks/tone.ts";

export type Tab = {
  to: string;
  label: string;
  current: boolean;
  count?: string;
  tone?: Tone;
  /** On a screen that is high enough its content is on the page anyway; the first tab is then the current one. */
  shortOnly?: boolean;
};

/** Tabs are links to places; the current one is `aria-current`. They never hide what is already on the page. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav
      aria-label={label}
      className="flex gap-1 overflow-x-auto shadow-[inset_0_-1px_0_var(--color-line)] [scrollbar-width:none]"
    >
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          preventScrollReset
          aria-current={tab.current ? "page" : undefined}
          className={cx(
            tab.shortOnly && "not-short:hidden",
            "relative inline-flex h-9 flex-none items-center gap-1.75 px-2.5 whitespace-nowrap hover:text-ink focus-visible:-outline-offset-3",
            tab.current
              ? "font-medium text-ink after:absolute after:inset-x-2 after:bottom-0 after:h-0.5 after:rounded-t-xs after:bg-accent"
              : "text-muted",
          )}
        >
          {tab.label}
          {tab.count === undefined ? null : (
            <CountBadge value={tab.count} {...(tab.tone ? { tone: tab.tone } : {})} />
          )}
        </Link>
      ))}
    </nav>
  );
}
