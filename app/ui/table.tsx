import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { cx } from "./parts/cx.ts";
import { SortLink, SortMenu, type Sort, type SortChoice } from "./parts/sort.tsx";
import type { Tone } from "./marks/tone.ts";

export type { SortState } from "./parts/sort.tsx";

/**
 * The one table: sticky head, sort links, a whole-row link, a lit edge on rows that want you. In a container narrower
 * than 38 rem each row becomes a card: the `main` cell is its title, the `aside` cell stands beside it, the rest follow
 * with their labels. The breaks are container queries, so a table in a drawer behaves like a table on a phone.
 */
export function Table({
  caption,
  sticky = "page",
  sorts,
  foot,
  children,
}: {
  caption: string;
  /** What the heads sort by, for the cards, which show no heads. */
  sorts?: readonly SortChoice[];
  /** What the head sticks to: the page (below its top bar) or the nearest scroller (drawer, dialog). */
  sticky?: "page" | "scroller";
  foot?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="@container/table">
      {sorts ? <SortMenu sorts={sorts} /> : null}
      <div className="overflow-clip rounded-lg border border-line bg-surface">
        <table
          className={cx(
            "w-full table-fixed border-separate border-spacing-0 @max-[38rem]/table:block",
            sticky === "page"
              ? "[--sticky-at:var(--topbar-height)] [&_thead_th]:top-(--sticky-at)"
              : "[&_thead_th]:top-0",
          )}
        >
          <caption className="sr-only">{caption}</caption>
          {children}
        </table>
        {foot ? <div className="border-t border-line bg-sunken px-(--cell-pad) py-2">{foot}</div> : null}
      </div>
    </div>
  );
}

export function TableHead({ children }: { children: ReactNode }) {
  return (
    <thead className="@max-[38rem]/table:sr-only">
      <tr>{children}</tr>
    </thead>
  );
}

type Room = "always" | "wide" | "widest";

/** What goes first when there is not enough room: `widest` below 66 rem, `wide` below 52 rem, then the cards. */
const ROOM: Record<Room, string> = {
  always: "",
  wide: "room-wide",
  widest: "room-widest",
};

export function HeadCell({
  children,
  width,
  numeric = false,
  room = "always",
  sort,
}: {
  children: ReactNode;
  /** A width utility: columns are fixed, what has none shares the rest. */
  width?: string;
  numeric?: boolean;
  room?: Room;
  sort?: Sort;
}) {
  return (
    <th
      scope="col"
      aria-sort={sort && sort.state !== "none" ? sort.state : undefined}
      className={cx(
        "sticky z-(--layer-sticky) h-8 border-b border-line-strong bg-sunken px-(--cell-pad) text-xs font-medium whitespace-nowrap text-muted",
        numeric ? "text-end" : "text-start",
        width,
        ROOM[room],
      )}
    >
      {sort ? (
        <>
          <SortLink {...sort} numeric={numeric}>
            {children}
          </SortLink>
          <span className="hidden @max-[38rem]/table:inline">{children}</span>
        </>
      ) : (
        children
      )}
    </th>
  );
}

export function TableBody({ children }: { children: ReactNode }) {
  return (
    <tbody className="@max-[38rem]/table:block [&>tr:last-child]:border-b-0 [&>tr:last-child>td]:border-b-0">
      {children}
    </tbody>
  );
}

/** What wants a person now is lit on its left side: the first cell of a row, the whole edge of a card. */
const LIT: ReadonlyMap<Tone, string> = new Map([
  ["unhealthy", "row-lit [--lit:var(--color-unhealthy)]"],
  ["critical", "row-lit [--lit:var(--color-critical)]"],
]);

export function Row({
  tone,
  selected = false,
  children,
}: {
  tone?: Tone;
  selected?: boolean;
  children: ReactNode;
}) {
  return (
    <tr
      className={cx(
        "table-row-line",
        tone && LIT.get(tone),
        selected ? "[&>td]:bg-accent-wash" : "row-hover",
      )}
    >
      {children}
    </tr>
  );
}

/** Each of them is a whole cell (table.css). */
const KINDS = { main: "cell-main", aside: "cell-aside", full: "cell-full", rest: "cell-rest" };

export function Cell({
  children,
  kind = "rest",
  label,
  hint,
  numeric = false,
  room = "always",
  wrap = false,
}: {
  children?: ReactNode;
  /** Its place on a card: the title, beside the title, a line of its own, or with the rest. */
  kind?: keyof typeof KINDS;
  /** Said before the value on a card, where the column head is out of sight. */
  label?: string;
  /** The figures behind its figure, for the pointer. */
  hint?: string | undefined;
  numeric?: boolean;
  room?: Room;
  wrap?: boolean;
}) {
  return (
    <td
      data-label={label}
      title={hint}
      className={cx(
        KINDS[kind],
        wrap ? "py-1.5 wrap-anywhere @max-[38rem]/table:p-0" : "cell-line",
        numeric && "cell-numeric",
        label && "cell-labelled",
        ROOM[room],
      )}
    >
      {children}
    </td>
  );
}

/**
 * The link that is the whole row. Other links and buttons in the row lie above it when they are `relative`. With
 * `expanded` it opens and closes the rows under it: the address says which are open.
 */
export function RowLink({
  to,
  title,
  expanded,
  strong = expanded !== undefined,
  near = expanded !== undefined,
  children,
}: {
  /** From the root: "/health?…". */
  to: string;
  title?: string;
  expanded?: boolean;
  /** Written as a heading: what opens other rows. */
  strong?: boolean;
  /** Leads to the page's own route, which need not be discovered. */
  near?: boolean;
  children: ReactNode;
}) {
  const props = { title, "aria-expanded": expanded, className: cx("row-link", strong && "font-semibold") };
  // The same element without the router's hooks, which the server would run a hundred times for nothing.
  if (import.meta.env.SSR && near)
    return (
      <a {...props} href={to}>
        {children}
      </a>
    );
  return (
    <Link
      {...props}
      to={to}
      discover={near ? "none" : "render"}
      preventScrollReset
      replace={expanded !== undefined}
    >
      {children}
    </Link>
  );
}
