import type { LoaderFunctionArgs } from "@remix-run/node";
import {
  Link,
  NavLink,
  Outlet,
  useLoaderData,
  useLocation,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { SIGN_IN } from "#app/contract/words/auth.ts";
import { helpPages } from "#app/features/help/pages.server.ts";
import { helpPath } from "#app/features/help/paths.ts";
import { describeError } from "#app/lib/error-view.ts";
import type { Handle } from "#app/lib/handle.ts";
import { rememberedSession } from "#app/lib/session.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { BrandMark } from "#app/ui/frame/brand.tsx";
import { ErrorPage } from "#app/ui/frame/error-page.tsx";
import { Crumbs, TopBar } from "#app/ui/frame/top-bar.tsx";

export const handle: Handle = { title: "Help" };

/** Anybody may read it, also while upstream is away: nothing is asked there. */
export function loader({ request }: LoaderFunctionArgs) {
  const pages = helpPages().map(({ name, title }) => ({ name, title }));
  return { pages, isSignedIn: rememberedSession(request) !== null };
}

export default function HelpLayout() {
  return (
    <HelpFrame {...useLoaderData<typeof loader>()}>
      <Outlet />
    </HelpFrame>
  );
}

type HelpData = ReturnType<typeof useLoaderData<typeof loader>>;

function HelpFrame({ pages, isSignedIn, children }: HelpData & { children: ReactNode }) {
  const page = useMatches().at(-1)?.data as { title?: string } | undefined;
  const { pathname } = useLocation(); // the list closes when one of its pages is opened
  const help = { label: "Help", to: helpPath() };
  return (
    <div className="min-h-dvh">
      <TopBar
        start={
          <>
            <Link to="/" title="Pilothouse" aria-label="Pilothouse" className="flex-none">
              <BrandMark />
            </Link>
            <Crumbs steps={page?.title ? [help, { label: page.title }] : [help]} />
          </>
        }
        end={
          <ButtonLink to="/" look="quiet">
            {isSignedIn ? (
              <span>
                Back<span className="max-sm:sr-only"> to Pilothouse</span>
              </span>
            ) : (
              SIGN_IN
            )}
          </ButtonLink>
        }
        horizon={null}
      />
      <div className="mx-auto grid max-w-(--page-width) lg:grid-cols-[var(--sidebar-width)_minmax(0,1fr)]">
        <nav
          aria-label="Help pages"
          className="sticky top-(--topbar-height) max-h-[calc(100dvh-var(--topbar-height))] self-start overflow-y-auto px-3 py-6 max-lg:hidden"
        >
          <Pages pages={pages} />
        </nav>
        <details key={pathname} className="group/pages border-b border-line px-3 lg:hidden">
          <summary className="flex min-h-(--control-height) items-center gap-2 font-medium">
            <ChevronRight
              aria-hidden="true"
              className="size-4 text-muted transition-transform group-open/pages:rotate-90"
            />
            All help pages
          </summary>
          <nav aria-label="Help pages" className="pb-3">
            <Pages pages={pages} />
          </nav>
        </details>
        <main className="min-w-0 px-5 pt-6 pb-16 max-sm:px-3 max-sm:pt-4">{children}</main>
      </div>
    </div>
  );
}

function Pages({ pages }: Pick<HelpData, "pages">) {
  return (
    <ul className="grid gap-px">
      {pages.map(({ name, title }) => (
        <li key={name}>
          <NavLink
            to={helpPath(name)}
            className="flex min-h-(--control-height) items-center rounded-md px-2.5 text-muted transition-colors hover:bg-pressed hover:text-ink aria-[current=page]:bg-pressed aria-[current=page]:font-medium aria-[current=page]:text-ink"
          >
            {title}
          </NavLink>
        </li>
      ))}
    </ul>
  );
}

/** A page that is not there leaves the table of contents. */
export function ErrorBoundary() {
  const data = useRouteLoaderData<typeof loader>("routes/help/layout");
  const page = <ErrorPage {...describeError(useRouteError())} />;
  return data ? <HelpFrame {...data}>{page}</HelpFrame> : page;
}
