import { Link } from "@remix-run/react";
import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { count } from "#app/lib/format/count.ts";
import { buttonClass } from "./button.tsx";
import { cx } from "./parts/cx.ts";
import { FilterForm } from "./filter-form.tsx";
import { FilterSelect, optionsOf } from "./select.tsx";

type PagerProps = {
  /** From 1. */
  page: number;
  pageSize: number;
  total: number;
  /** What is paged, for the ear: "Checks". */
  label: string;
  href: (page: number) => string;
  /** The name of the page-size parameter, its options and the other filters; absent when the size is fixed. */
  size?: { name: string; options: readonly number[]; keep: readonly [string, string][] };
};

/** How many pages there are, at least one. */
const pageCount = (total: number, pageSize: number) => Math.max(1, Math.ceil(total / pageSize));

/** "51–100 of 2,431", links to the neighbours, and how many to show. */
export function Pager({ page, pageSize, total, label, href, size }: PagerProps) {
  const last = pageCount(total, pageSize);
  const first = (page - 1) * pageSize;
  return (
    <nav
      aria-label={`${label}, pages`}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 text-xs text-muted"
    >
      <span>
        {total === 0
          ? "0"
          : `${count(Math.min(first + 1, total))}–${count(Math.min(first + pageSize, total))}`}{" "}
        of {count(total)}
      </span>
      {size ? <PageSize {...size} pageSize={pageSize} /> : null}
      {last > 1 ? (
        <span className="ml-auto flex items-center gap-1">
          <Step to={page > 1 ? href(Math.min(page - 1, last)) : null} label="Previous page">
            <ChevronLeft aria-hidden="true" />
          </Step>
          <span className="px-1">
            Page {count(page)} of {count(last)}
          </span>
          <Step to={page < last ? href(page + 1) : null} label="Next page">
            <ChevronRight aria-hidden="true" />
          </Step>
        </span>
      ) : null}
    </nav>
  );
}

/** At either end the arrow stays where it was, so that the pointer over it does not press the other one. */
function Step({ to, label, children }: { to: string | null; label: string; children: ReactNode }) {
  const look = buttonClass({ look: "quiet", size: "small", icon: true });
  return to ? (
    <Link to={to} aria-label={label} title={label} preventScrollReset className={look}>
      {children}
    </Link>
  ) : (
    <span aria-hidden="true" className={cx(look, "opacity-35 hover:bg-transparent")}>
      {children}
    </span>
  );
}

function PageSize({ name, options, keep, pageSize }: NonNullable<PagerProps["size"]> & { pageSize: number }) {
  return (
    <FilterForm label="page size" keep={keep}>
      <FilterSelect
        label="Show"
        name={name}
        value={String(pageSize)}
        options={optionsOf(options.map(String))}
      />
    </FilterForm>
  );
}
