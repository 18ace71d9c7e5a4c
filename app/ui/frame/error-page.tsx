import { Link, useLocation } from "@remix-run/react";
import { CloudOff, LifeBuoy, LockKeyhole, SearchX } from "lucide-react";
import { useEffect } from "react";
import { ButtonLink } from "../button.tsx";
import { Empty } from "../empty.tsx";
import { BrandMark } from "./brand.tsx";

const MARKS = { locked: LockKeyhole, missing: SearchX, away: CloudOff, broken: LifeBuoy };
/** How often the page of an absent backend looks whether it is back, ms, and where: it answers while the backend lives. */
const LOOK_AGAIN = 5_000;
const LOOK_AT = "/api/health";

type ErrorPageProps = {
  mark: keyof typeof MARKS;
  title: string;
  words: string;
  retry: boolean;
  passing?: boolean;
  id?: string | undefined;
};

/** The body of every error page, inside the shell or without it. Retry is a link to the same address, loaded afresh. */
export function ErrorPage({ mark, title, words, retry, passing = false, id }: ErrorPageProps) {
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

/** Loads the page again as soon as the backend answers; without script there is Retry. */
function useComeback(isAway: boolean): void {
  useEffect(() => {
    if (!isAway) return;
    const look = async () => {
      if (document.visibilityState !== "visible") return;
      const answer = await fetch(LOOK_AT).catch(() => null);
      if (answer?.ok) location.reload();
    };
    const timer = setInterval(() => void look(), LOOK_AGAIN);
    return () => clearInterval(timer);
  }, [isAway]);
}
