import { Link, NavLink, useLocation } from "@remix-run/react";
import { ChevronRight, Menu as MenuIcon, PanelLeftClose, PanelLeftOpen, type LucideIcon } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { BrandMark } from "./brand.tsx";
import { buttonClass } from "../button.tsx";
import { cx } from "../parts/cx.ts";

const ID = "navigation";
const LINK =
  "flex w-full min-h-(--control-height) items-center gap-2.5 rounded-md px-2.5 whitespace-nowrap text-muted transition-colors hover:bg-pressed hover:text-ink aria-[current=page]:bg-pressed aria-[current=page]:font-medium aria-[current=page]:text-ink [&>svg]:size-4 [&>svg]:flex-none aria-[current=page]:[&>svg]:text-accent-ink";

/** In the collapsed sidebar an entry is its icon; the label stays for the ear. */
const RAIL = "lg:group-data-collapsed/sidebar:justify-center lg:group-data-collapsed/sidebar:px-0";
const RAIL_LABEL = "lg:group-data-collapsed/sidebar:sr-only";

/**
 * The navigation: a column on a wide screen, full or collapsed to its icons; below 1024 px the same element is a
 * popover, opened by `SidebarButton` and closed by a press outside, with or without script. `foot` is the form that
 * remembers the collapsed state.
 */
export function Sidebar({
  home,
  collapsed,
  foot,
  children,
}: {
  home: string;
  collapsed: boolean;
  foot: ReactNode;
  children: ReactNode;
}) {
  const { key } = useLocation();
  const nav = useRef<HTMLElement>(null);
  const shown = useRef(key);
  useEffect(() => {
    // A link inside was followed. It may also have been opened before the script arrived: then it stays.
    if (shown.current !== key && nav.current?.matches(":popover-open")) nav.current.hidePopover();
    shown.current = key;
  }, [key]);
  return (
    <nav
      ref={nav}
      id={ID}
      {...{ popover: "auto" }}
      aria-label="Main"
      data-chrome=""
      data-collapsed={collapsed || undefined}
      className={cx(
        "group/sidebar m-0 flex h-dvh max-h-none flex-col overflow-x-hidden overflow-y-auto border-0 border-r border-line bg-canvas p-0 px-2 pb-2 text-ink",
        "sticky top-0 right-auto bottom-auto left-0 z-(--layer-sidebar) max-lg:not-open:hidden max-lg:open:fixed max-lg:w-[min(18rem,84vw)] max-lg:shadow-overlay backdrop:bg-scrim",
        collapsed ? "lg:w-(--sidebar-width-collapsed)" : "lg:w-(--sidebar-width)",
      )}
    >
      <Link
        to={home}
        title="Pilothouse"
        className="mb-2 flex h-(--topbar-height) flex-none items-center gap-2.5 px-2 text-base font-semibold tracking-tight lg:group-data-collapsed/sidebar:justify-center lg:group-data-collapsed/sidebar:px-0"
      >
        <BrandMark />
        <span className="lg:group-data-collapsed/sidebar:sr-only">Pilothouse</span>
      </Link>
      <ul className="grid gap-px">{children}</ul>
      <div className="mt-auto pt-2 max-lg:hidden">{foot}</div>
    </nav>
  );
}

/** Opens the sidebar where it is not a column. */
export function SidebarButton() {
  return (
    <button
      type="button"
      {...{ popovertarget: ID }}
      aria-label="Menu"
      title="Menu"
      className={buttonClass({ look: "quiet", icon: true, className: "lg:hidden" })}
    >
      <MenuIcon aria-hidden="true" />
    </button>
  );
}

/**
 * One entry. `note` is what wants attention there: it stays on the icon's shoulder when the sidebar is collapsed. A
 * `nested` one belongs to a submenu and keeps its label.
 */
export function SidebarLink({
  to,
  label,
  icon: Icon,
  note,
  nested = false,
}: {
  to: string;
  label: string;
  icon: LucideIcon;
  note?: ReactNode;
  nested?: boolean;
}) {
  return (
    <li className="relative">
      <NavLink to={to} title={label} className={cx(LINK, !nested && RAIL)}>
        <Icon aria-hidden="true" />
        <span className={nested ? undefined : RAIL_LABEL}>{label}</span>
        {note ? (
          <span className="ml-auto text-xs lg:group-data-collapsed/sidebar:absolute lg:group-data-collapsed/sidebar:top-0.5 lg:group-data-collapsed/sidebar:right-0 lg:group-data-collapsed/sidebar:text-[0px] lg:group-data-collapsed/sidebar:[&_svg]:size-2">
            {note}
          </span>
        ) : null}
      </NavLink>
    </li>
  );
}

/**
 * A submenu: a disclosure that is open where one of its pages is shown (`under`). In the collapsed sidebar it flies out
 * beside its icon, and a press outside or Escape closes it.
 */
export function SidebarGroup({
  label,
  icon: Icon,
  under,
  collapsed,
  children,
}: {
  label: string;
  icon: LucideIcon;
  under: string;
  collapsed: boolean;
  children: ReactNode;
}) {
  const { pathname, key } = useLocation();
  const isHere = pathname === under || pathname.startsWith(`${under}/`);
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!collapsed) return;
    const element = details.current;
    const close = () => element?.removeAttribute("open");
    close(); // where a link inside was followed
    const pressed = ({ target }: MouseEvent) => element?.contains(target as Node) || close();
    const keyed = (event: KeyboardEvent) => event.key === "Escape" && close();
    document.addEventListener("click", pressed);
    document.addEventListener("keydown", keyed);
    return () => {
      document.removeEventListener("click", pressed);
      document.removeEventListener("keydown", keyed);
    };
  }, [collapsed, key]);
  return (
    <li>
      <details ref={details} open={isHere && !collapsed} className="group/submenu">
        <summary
          title={label}
          aria-current={isHere && collapsed ? "page" : undefined}
          className={cx(LINK, RAIL, "cursor-pointer")}
        >
          <Icon aria-hidden="true" />
          <span className={RAIL_LABEL}>{label}</span>
          <ChevronRight
            aria-hidden="true"
            className="ml-auto transition-transform group-open/submenu:rotate-90 lg:group-data-collapsed/sidebar:hidden"
          />
        </summary>
        <ul
          className={cx(
            "mt-px grid gap-px pl-4",
            collapsed &&
              "lg:fixed lg:left-[calc(var(--sidebar-width-collapsed)-0.25rem)] lg:mt-[calc(-1*var(--control-height))] lg:min-w-48 lg:rounded-lg lg:border lg:border-line-strong lg:bg-raised lg:p-1 lg:shadow-raised",
          )}
        >
          {children}
        </ul>
      </details>
    </li>
  );
}

/** The button at the foot; the form around it says where the state is kept. */
export function CollapseButton({ collapsed }: { collapsed: boolean }) {
  const Icon = collapsed ? PanelLeftOpen : PanelLeftClose;
  const label = collapsed ? "Expand" : "Collapse";
  return (
    <button
      name="sidebar"
      value={collapsed ? "open" : "collapsed"}
      title={`${label} sidebar`}
      className={cx(LINK, collapsed && "justify-center px-0")}
    >
      <Icon aria-hidden="true" />
      <span className={collapsed ? "sr-only" : undefined}>{label}</span>
    </button>
  );
}
