import { useLocation } from "@remix-run/react";
import { CloudOff, LifeBuoy, LockKeyhole, SearchX } from "lucide-react";
import { ButtonLink } from "../button.tsx";
import { Empty } from "../empty.tsx";

const MARKS = { locked: LockKeyhole, missing: SearchX, away: CloudOff, broken: LifeBuoy };

type ErrorPageProps = {
  mark: keyof typeof MARKS;
  title: string;
  words: string;
  retry: boolean;
  id?: string | undefined;
};

/** The body of every error page, inside the shell or without it. Retry is a link to the same address, loaded afresh. */
export function ErrorPage({ mark, title, words, retry, id }: ErrorPageProps) {
  const { pathname, search } = useLocation();
  const Mark = MARKS[mark];
  return (
    <div role="alert" data-error-page="">
      <Empty
        title={title}
        heading="h1"
        mark={<Mark />}
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
