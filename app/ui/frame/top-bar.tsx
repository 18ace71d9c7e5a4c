import { Link, useLocation, useNavigation, useRevalidator } from "@remix-run/react";
import { RefreshCw } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { buttonClass } from "../button.tsx";
import { cx } from "../parts/cx.ts";

export type CrumbStep = { label: string; to?: string | undefined };

/** Where this page is; the last step is the page's heading. On a phone it keeps the last two. */
export function Crumbs({ steps }: { steps: readonly CrumbStep[] }) {
  const last = steps.length - 1;
  return (
    <nav aria-label="Breadcrumb" className="min-w-0 flex-1">
      <ol className="flex min-w-0 items-center gap-2 text-base">
        {steps.map(({ label, to }, index) => (
          <Fragment key={`${to ?? ""} ${label}`}>
            {index > 0 ? (
              <li aria-hidden="true" className={cx("text-faint", index < last && "max-sm:hidden")}>
                /
              </li>
            ) : null}
            <li
              className={cx(
                "min-w-0 truncate",
                index < last && "max-w-1/2 flex-none", // the way back keeps its words, the page's own name gives way
                index < last - 1 && "max-sm:hidden",
              )}
            >
              {index === last ? (
                <h1 aria-current="page" className="truncate" title={label}>
                  {label}
                </h1>
              ) : to ? (
                <Link to={to} className="block truncate leading-6 text-muted hover:text-ink">
                  {label}
                </Link>
              ) : (
                <span className="text-muted">{label}</span>
              )}
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  );
}

/** Loads the page's data again; a link to the same address, so it works without script too. Turns while loading. */
export function RefreshLink() {
  const { pathname, search } = useLocation();
  const isBusy = [useNavigation().state, useRevalidator().state].includes("loading");
  return (
    <Link
      to={pathname + search}
      replace
      preventScrollReset
      aria-label="Refresh"
      aria-busy={isBusy}
      title="Refresh"
      className={buttonClass({ look: "quiet", icon: true })}
    >
      <RefreshCw aria-hidden="true" />
    </Link>
  );
}

/**
 * The horizon: the share of what is watched that fails, drawn on the bar's lower edge. When all is well there is only
 * the bar's own hairline, and nobody notices it.
 */
export function Horizon({ failing, total }: { failing: number; total: number }) {
  if (failing <= 0 || total <= 0) return null;
  const label = `${failing} of ${total} checks are failing`;
  return (
    <svg
      role="img"
      aria-label={label}
      data-lamp=""
      className="absolute inset-x-0 -bottom-px h-0.5 w-full overflow-visible text-unhealthy drop-shadow-[0_0_4px_light-dark(transparent,currentColor)]"
    >
      <rect
        width={`${Math.min(100, Math.max(2, (failing / total) * 100))}%`}
        height="2"
        fill="currentColor"
      />
    </svg>
  );
}

/** The bar every page hangs under. */
export function TopBar({ start, end, horizon }: { start: ReactNode; end: ReactNode; horizon: ReactNode }) {
  return (
    <header
      data-chrome=""
      className="sticky top-0 z-(--layer-sidebar) flex h-(--topbar-height) min-w-0 items-center gap-3 border-b border-line bg-canvas pr-4 pl-5 max-lg:gap-2 max-lg:px-3"
    >
      {start}
      <div className="ml-auto flex items-center gap-2 max-sm:gap-1">{end}</div>
      {horizon}
    </header>
  );
}
