import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, useRouteError, useRouteLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { CONNECTION_WORDS, FLAGS_UNKNOWN, NO_VERSION } from "#app/contract/words/platform.ts";
import { ACCESS_TOKENS } from "#app/contract/words/tokens.ts";
import { countChecks } from "#app/features/checks/queries.server.ts";
import { organizations } from "#app/features/identity/hosted/person.server.ts";
import { FRONTEND_VERSION } from "#app/lib/about.server.ts";
import { SignedOutPage } from "#app/features/identity/signed-out.tsx";
import { authorize } from "#app/lib/authorize.server.ts";
import { env } from "#app/lib/env.server.ts";
import { describeError } from "#app/lib/error-view.ts";
import { count, counted } from "#app/lib/format/count.ts";
import { kubeconfigFile } from "#app/lib/kubeconfig.server.ts";
import { preferencesOf } from "#app/lib/preferences.server.ts";
import { signedOutOf, TYPED_HEADER } from "#app/lib/signed-out.ts";
import { ConnectionBar } from "#app/ui/frame/connection-bar.tsx";
import { ErrorScreen } from "#app/ui/frame/error-page.tsx";
import { CollapseButton, Sidebar, SidebarGroup, SidebarLink } from "#app/ui/frame/sidebar.tsx";
import { Count } from "#app/ui/marks/status.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Bar } from "./shell/bar.tsx";
import { KubeconfigDialog } from "./shell/kubeconfig-dialog.tsx";
import { NAV, navOf, pathsOf, visibleNav, SETTINGS } from "./shell/nav.ts";
import { PreferencesForm } from "./shell/user-menu.tsx";

export async function loader(args: LoaderFunctionArgs) {
  const { api, user, avatar, can, isOn, areFlagsKnown, backend } = await authorize(args, "signed-in");
  const [checks, { version, offers }] = await Promise.all([
    isOn("health") && can("read:canaries") ? countChecks(api).catch(withoutBadge) : null,
    backend(),
  ]);
  return {
    name: user.name,
    avatar,
    paths: pathsOf(visibleNav(NAV, { roles: user.roles, can, isOn })),
    areFlagsKnown,
    failing: checks?.failing ?? 0,
    total: checks?.total ?? 0,
    versions: { frontend: FRONTEND_VERSION, backend: version ?? NO_VERSION },
    hasTokens: offers(ACCESS_TOKENS),
    /** A hosted provider keeps its people's profiles. */
    hasProfile: env().hosted === null,
    kubeconfig: { file: kubeconfigFile(args.request), isOffered: offers("kubeconfig", true) },
    preferences: preferencesOf(args.request),
    organizations: await organizations(args.request),
    /** Only the page of checks: nowhere else to go, nobody to be. */
    isAlone: env().isStandalone,
  };
}

/** Checks that cannot be counted cost the badge, never the page. What leads elsewhere (signed out) still does. */
function withoutBadge(thrown: unknown): null {
  if (thrown instanceof Response && thrown.status < 500) throw thrown;
  return null;
}
export type ShellData = ReturnType<typeof useLoaderData<typeof loader>>;

export default function ShellLayout() {
  const shell = useLoaderData<typeof loader>();
  return (
    <Frame {...shell}>
      <Outlet />
      {shell.isAlone ? null : <KubeconfigDialog {...shell.kubeconfig} />}
    </Frame>
  );
}

/** A frame that failed leaves the words. */
export function ErrorBoundary() {
  const root = useRouteLoaderData<{ requestId?: string }>("root");
  const error = useRouteError();
  const signedOut = signedOutOf(error);
  return signedOut ? (
    <SignedOutPage {...signedOut} />
  ) : (
    <ErrorScreen {...describeError(error, root?.requestId)} />
  );
}

function Frame({ children, ...shell }: ShellData & { children: ReactNode }) {
  return (
    <div className={shell.isAlone ? "grid" : "grid lg:grid-cols-[auto_minmax(0,1fr)]"}>
      <a
        href="#main"
        className="fixed top-2 left-2 z-(--layer-toast) rounded-md bg-accent px-3 py-2 text-on-accent not-focus:sr-only"
      >
        Skip to content
      </a>
      {shell.isAlone ? null : <Navigation {...shell} />}
      <div className="min-w-0">
        <Bar {...shell} />
        <main id="main" tabIndex={-1} className="outline-none">
          {shell.areFlagsKnown ? null : (
            <div className="mx-auto max-w-(--page-width) px-5 pt-4 max-sm:px-3 max-sm:pt-3">
              <Notice tone="warning">{FLAGS_UNKNOWN}</Notice>
            </div>
          )}
          {children}
        </main>
      </div>
      <ConnectionBar words={CONNECTION_WORDS} typedHeader={TYPED_HEADER} />
    </div>
  );
}

function Navigation(shell: ShellData) {
  const collapsed = shell.preferences.sidebar === "collapsed";
  const { entries, settings } = navOf(NAV, shell.paths);
  return (
    <Sidebar
      home="/"
      collapsed={collapsed}
      foot={
        <PreferencesForm>
          <CollapseButton collapsed={collapsed} />
        </PreferencesForm>
      }
    >
      {entries.map(({ path, label, icon }) => (
        <SidebarLink key={path} to={path} label={label} icon={icon} note={noteOf(path, shell)} />
      ))}
      {settings.length > 0 ? (
        <SidebarGroup {...SETTINGS} collapsed={collapsed}>
          {settings.map(({ path, label, icon }) => (
            <SidebarLink key={path} to={path} label={label} icon={icon} nested />
          ))}
        </SidebarGroup>
      ) : null}
    </Sidebar>
  );
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
