import { useMatches } from "@remix-run/react";
import {
  OrganizationSwitcher,
  type Organizations,
} from "#app/features/identity/hosted/organization-switcher.tsx";
import type { Handle } from "#app/lib/handle.ts";
import { SidebarButton } from "#app/ui/frame/sidebar.tsx";
import { Crumbs, Horizon, RefreshLink, TopBar } from "#app/ui/frame/top-bar.tsx";
import { HelpMenu, UserMenu, type UserMenuProps } from "./user-menu.tsx";

type BarProps = Omit<UserMenuProps, "theme" | "hasHelp"> & {
  failing: number;
  total: number;
  /** Without the ways to other pages. */
  isAlone: boolean;
  organizations: Organizations | null;
  preferences: Pick<UserMenuProps, "theme">;
};

/** The top bar: where this page is, what it adds (its `handle`), refresh, help, the user menu. */
export function Bar({
  name,
  avatar,
  failing,
  total,
  isAlone,
  organizations,
  versions,
  hasTokens,
  hasProfile,
  preferences,
}: BarProps) {
  const matches = useMatches();
  const handles = matches.map(({ handle, data }) => ({ handle: handle as Handle | undefined, data }));
  const page = handles.at(-1);
  return (
    <TopBar
      start={
        <>
          {isAlone ? null : <SidebarButton />}
          <Crumbs steps={handles.flatMap(({ handle, data }) => crumbOf(handle, data))} />
        </>
      }
      end={
        <>
          {page?.handle?.extras?.(page.data)}
          {page?.handle?.refresh ? <RefreshLink /> : null}
          <OrganizationSwitcher organizations={organizations} />
          {isAlone ? null : <HelpMenu isInUserMenu={organizations !== null} />}
          {isAlone ? null : (
            <UserMenu
              name={name}
              avatar={avatar}
              theme={preferences.theme}
              versions={versions}
              hasTokens={hasTokens}
              hasProfile={hasProfile}
              hasHelp={organizations !== null}
            />
          )}
        </>
      }
      horizon={<Horizon failing={failing} total={total} />}
    />
  );
}

function crumbOf(handle: Handle | undefined, data: unknown) {
  const { label, to, under } = handle?.crumb ?? {};
  const words = typeof label === "function" ? label(data) : label;
  const before = under?.(data);
  return words ? [...(before ? [before] : []), { label: words, to }] : [];
}
