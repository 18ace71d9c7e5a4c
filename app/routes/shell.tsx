import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, useMatches, useRouteError, useRouteLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { NO_VERSION } from "#app/contract/words/platform.ts";
import { countChecks } from "#app/features/checks/queries.server.ts";
import { backendVersion } from "#app/lib/about.server.ts";
import { authorize } from "#app/lib/authorize.server.ts";
import { describeError } from "#app/lib/error-view.ts";
import { count, counted } from "#app/lib/format/count.ts";
import type { Handle } from "#app/lib/handle.ts";
import { preferencesOf } from "#app/lib/preferences.server.ts";
import { ErrorPage } from "#app/ui/frame/error-page.tsx";
import { CollapseButton, Sidebar, SidebarButton, SidebarLink } from "#app/ui/frame/sidebar.tsx";
import { Count } from "#app/ui/marks/status.tsx";
import { Crumbs, Horizon, RefreshLink, TopBar } from "#app/ui/frame/top-bar.tsx";
import { NAV } from "./shell/nav.ts";
import { HelpMenu, PreferencesForm, UserMenu } from "./shell/user-menu.tsx";

export async function loader(args: LoaderFunctionArgs) {
  const { api, user, can, features } = await authorize(args, "signed-in");
  const isOn = await features();
  const [checks, backend] = await Promise.all([
    isOn("health") && can("read:canaries") ? countChecks(api) : null,
    backendVersion(api),
  ]);
  return {
    name: user.name,
    paths: NAV.filter(({ feature, permission }) => isOn(feature) && can(permission)).map(({ path }) => path),
    failing: checks?.failing ?? 0,
    total: checks?.total ?? 0,
    backend: backend ?? NO_VERSION,
    preferences: preferencesOf(args.request),
  };
}
type ShellData = ReturnType<typeof useLoaderData<typeof loader>>;

export default function ShellLayout() {
  return (
    <Frame {...useLoaderData<typeof loader>()}>
      <Outlet />
    </Frame>
  );
}

/** A frame that failed leaves the words. */
export function ErrorBoundary() {
  const root = useRouteLoaderData<{ requestId?: string }>("root");
  return (
    <main className="grid min-h-dvh content-center">
      <ErrorPage {...describeError(useRouteError(), root?.requestId)} />
    </main>
  );
}

function Frame({ children, ...shell }: ShellData & { children: ReactNode }) {
  const collapsed = shell.preferences.sidebar === "collapsed";
  return (
    <div className="grid lg:grid-cols-[auto_minmax(0,1fr)]">
      <a
        href="#main"
        className="fixed top-2 left-2 z-(--layer-toast) rounded-md bg-accent px-3 py-2 text-on-accent not-focus:sr-only"
      >
        Skip to content
      </a>
      <Sidebar
        home="/"
        collapsed={collapsed}
        foot={
          <PreferencesForm>
            <CollapseButton collapsed={collapsed} />
          </PreferencesForm>
        }
      >
        {NAV.filter(({ path }) => shell.paths.includes(path)).map(({ path, label, icon }) => (
          <SidebarLink key={path} to={path} label={label} icon={icon} note={noteOf(path, shell)} />
        ))}
      </Sidebar>
      <div className="min-w-0">
        <Bar {...shell} />
        <main id="main" tabIndex={-1} className="outline-none">
          {children}
        </main>
      </div>
    </div>
  );
}

function Bar({ name, failing, total, backend, preferences }: ShellData) {
  const matches = useMatches();
  const handles = matches.map(({ handle, data }) => ({ handle: handle as Handle | undefined, data }));
  const page = handles.at(-1);
  return (
    <TopBar
      start={
        <>
          <SidebarButton />
          <Crumbs steps={handles.flatMap(({ handle, data }) => crumbOf(handle, data))} />
        </>
      }
      end={
        <>
          {page?.handle?.extras?.(page.data)}
          {page?.handle?.refresh ? <RefreshLink /> : null}
          <HelpMenu />
          <UserMenu name={name} theme={preferences.theme} backend={backend} />
        </>
      }
      horizon={<Horizon failing={failing} total={total} />}
    />
  );
}

function crumbOf(handle: Handle | undefined, data: unknown) {
  const { label, to } = handle?.crumb ?? {};
  const words = typeof label === "function" ? label(data) : label;
  return words ? [{ label: words, to }] : [];
}

/** What wants attention behind an entry. A count is lit when it is not zero, and absent when it is. */
function noteOf(path: string, { failing }: ShellData): ReactNode {
  if (path !== "/health" || failing === 0) return null;
  return (
    <span title={`${counted(failing, "check")} failing`}>
      <Count
        health="unhealthy"
        value={count(failing)}
        word={failing === 1 ? "check failing" : "checks failing"}
      />
    </span>
  );
}
