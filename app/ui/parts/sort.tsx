import { Link } from "@remix-run/react";
import { ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { MENU_ITEM, Menu } from "../menu.tsx";
import { cx } from "./cx.ts";

export type SortState = "ascending" | "descending" | "none";
/** Where a click leads and how the column is sorted now. */
export type Sort = { to: string; state: SortState };
export type SortChoice = Sort & { label: string };

type SortLinkProps = Sort & { numeric: boolean; children: ReactNode };

/**
 * The arrow stands on the side the column does not lean to, so that heads and figures end on one line. On cards the
 * heads are out of sight, and so must be what can have the focus: the menu does their work.
 */
export function SortLink({ to, state, numeric, children }: SortLinkProps) {
  return (
    <Link
      to={to}
      preventScrollReset
      className={cx(
        "group inline-flex items-center gap-1 align-middle hover:text-ink @max-[38rem]/table:hidden",
        numeric && "flex-row-reverse",
        state !== "none" && "text-ink",
      )}
    >
      {children}
      <SortArrow state={state} />
    </Link>
  );
}

function SortArrow({ state }: { state: SortState }) {
  return (
    <ArrowUp
      aria-hidden="true"
      className={cx(
        "size-3 flex-none",
        state === "none"
          ? "opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60"
          : "text-accent-ink",
        state === "descending" && "rotate-180",
      )}
    />
  );
}

/** The heads of the cards: one menu with a link for each column, each leading where its head would. */
export function SortMenu({ sorts }: { sorts: readonly SortChoice[] }) {
  const current = sorts.find(({ state }) => state !== "none");
  const inWords = current ? `${current.label}, ${current.state}` : "as found";
  return (
    <div className="mb-2 hidden justify-end @max-[38rem]/table:flex">
      <Menu
        label={`Sort: ${inWords}`}
        look="secondary"
        icon={false}
        trigger={
          <>
            <span className="font-normal text-muted">Sort:</span> {current?.label ?? "as found"}
            {current ? <SortArrow state={current.state} /> : null}
          </>
        }
      >
        {sorts.map(({ label, to, state }) => (
          <Link
            key={label}
            to={to}
            preventScrollReset
            aria-current={state === "none" ? undefined : "true"}
            className={cx(MENU_ITEM, "justify-between", state !== "none" && "font-medium")}
          >
            {label}
            {state === "none" ? null : (
              <span className="flex items-center gap-1 text-xs font-normal text-muted">
                {state} <SortArrow state={state} />
              </span>
            )}
          </Link>
        ))}
      </Menu>
    </div>
  );
}
