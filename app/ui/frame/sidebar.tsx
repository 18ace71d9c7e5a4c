import { Link, NavLink, useLocation } from "@remix-run/react";
import { Menu as MenuIcon, PanelLeftClose, PanelLeftOpen, type LucideIcon } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { BrandMark } from "./brand.tsx";
import { buttonClass } from "../button.tsx";
import { cx } from "../parts/cx.ts";

const ID = "navigation";
const LINK =
  "flex w-full min-h-(--control-height) items-center gap-2.5 rounded-md px-2.5 whitespace-nowrap text-muted transition-colors hover:bg-pressed hover:text-ink aria-[current=page]:bg-pressed aria-[current=page]:font-medium aria-[current=page]:text-ink [&>svg]:size-4 [&>svg]:flex-none aria-[current=page]:[&>svg]:text-accent-ink";

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
  useEffect(() => {
    if (nav.current?.matches(":popover-open")) nav.current.hidePopover(); // a link inside was followed
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

/** One entry. `note` is what wants attention there: it stays on the icon's shoulder when the sidebar is collapsed. */
export function SidebarLink({
  to,
  label,
  icon: Icon,
  note,
}: {
  to: string;
  label: string;
  icon: LucideIcon;
  note?: ReactNode;
}) {
  return (
    <li className="relative">
      <NavLink
        to={to}
        title={label}
        className={cx(
          LINK,
          "lg:group-data-collapsed/sidebar:justify-center lg:group-data-collapsed/sidebar:px-0",
        )}
      >
        <Icon aria-hidden="true" />
        <span className="lg:group-data-collapsed/sidebar:sr-only">{label}</span>
        {note ? (
          <span className="ml-auto text-xs lg:group-data-collapsed/sidebar:absolute lg:group-data-collapsed/sidebar:top-0.5 lg:group-data-collapsed/sidebar:right-0 lg:group-data-collapsed/sidebar:text-[0px] lg:group-data-collapsed/sidebar:[&_svg]:size-2">
            {note}
          </span>
        ) : null}
      </NavLink>
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
