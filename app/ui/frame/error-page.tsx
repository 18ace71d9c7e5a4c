import { Link, useLocation } from "@remix-run/react";
import { CloudOff, LifeBuoy, LockKeyhole, SearchX } from "lucide-react";
import { useEffect } from "react";
import { ButtonLink } from "../button.tsx";
import { Empty } from "../empty.tsx";
import { BrandMark } from "./brand.tsx";

const MARKS = { locked: LockKeyhole, missing: SearchX, away: CloudOff, broken: LifeBuoy };
/** How often the page of an absent service looks whether it is back, ms, and where: what answers while that lives. */
const LOOK_AGAIN = 5_000;
const LOOK_AT = { backend: "/api/health", provider: "/login" };

type ErrorPageProps = {
  mark: keyof typeof MARKS;
  title: string;
  words: string;
  retry: boolean;
  passing?: keyof typeof LOOK_AT | undefined;
  id?: string | undefined;
};

/** The body of every error page, inside the shell or without it. Retry is a link to the same address, loaded afresh. */
export function ErrorPage({ mark, title, words, retry, passing, id }: ErrorPageProps) {
  const { pathname, search } = useLocation();
  const Mark = MARKS[mark];
  useComeback(passing);
  return (
    <div role="alert" data-error-page="" className="[&_h1]:text-xl [&_h1]:tracking-tight">
      <Empty
        title={title}
        heading="h1"
        mark={<Mark className="w-12" />}
        actions={
          <>
            {retry ? (
              <ButtonLink to={pathname + search} reloadDocument look="primary">
                Retry
              </ButtonLink>
            ) : null}
            <ButtonLink to="/" reloadDocument>
              Go back
            </ButtonLink>
          </>
        }
      >
        {words}
        {passing === "provider" && pathname.startsWith(LOOK_AT.provider) ? (
          // Only there, where nothing was typed that a new page could lose.
          <noscript>
            <meta httpEquiv="refresh" content={String(LOOK_AGAIN / 1000)} />
          </noscript>
        ) : null}
        {id ? (
          <span className="mt-2 block font-mono text-xs">
            Error id: <span data-error-id="">{id}</span>
          </span>
        ) : null}
      </Empty>
    </div>
  );
}

/** An error page that stands alone, where there is no frame to draw it in. */
export function ErrorScreen(props: ErrorPageProps) {
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr]">
      <header className="flex h-(--topbar-height) items-center border-b border-line px-5 max-lg:px-3">
        <Link
          to="/"
          reloadDocument
          className="flex items-center gap-2.5 text-base font-semibold tracking-tight"
        >
          <BrandMark />
          Pilothouse
        </Link>
      </header>
      <main className="grid content-center pb-(--topbar-height)">
        <ErrorPage {...props} />
      </main>
    </div>
  );
}

/** Loads the page again as soon as what is absent answers; without script there is Retry, and signing in looks again all the same. */
function useComeback(absent: keyof typeof LOOK_AT | undefined): void {
  useEffect(() => {
    if (!absent) return;
    const look = async () => {
      if (document.visibilityState !== "visible") return;
      const answer = await fetch(LOOK_AT[absent], { redirect: "manual" }).catch(() => null);
      // The way to the provider's own pages is a redirect, which is left for the page to follow.
      if (answer?.ok || answer?.type === "opaqueredirect") location.reload();
    };
    const timer = setInterval(() => void look(), LOOK_AGAIN);
    return () => clearInterval(timer);
  }, [absent]);
}
