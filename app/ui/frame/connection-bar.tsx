import { useLocation, useRevalidator } from "@remix-run/react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { buttonClass } from "../button.tsx";
import { Glyph } from "../marks/glyph.tsx";
import { connection, watchConnection, type Connection, type Trouble } from "./connection.ts";

const FINE: Connection = { trouble: null, good: 0, isWaiting: false };

/**
 * One line at the foot of a page that could not be brought up to date: why, since when, and Retry. It goes by itself.
 * The page above it stays as it was. Only scripts make calls of their own, so without them there is nothing to say.
 */
export function ConnectionBar({
  words,
  typedHeader,
}: {
  words: Readonly<Record<Trouble, string>>;
  typedHeader: string;
}) {
  const { trouble, good, isWaiting } = useSyncExternalStore(
    connection.subscribe,
    connection.read,
    () => FINE,
  );
  const { revalidate } = useRevalidator();
  const { key, pathname, search } = useLocation();
  useEffect(() => watchConnection(typedHeader), [typedHeader]);
  useEffect(() => {
    const again = () => connection.retry() || revalidate();
    window.addEventListener("online", again);
    return () => window.removeEventListener("online", again);
  }, [revalidate]);

  // What is outside an open modal can neither be seen nor pressed.
  const [modal, setModal] = useState<Element | null>(null);
  useEffect(() => setModal(document.querySelector("dialog:modal")), [key, trouble]);
  const bar = (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-3 bottom-3 z-(--layer-toast) flex justify-center in-[dialog]:max-sm:bottom-20 in-has-[[data-foot]]:max-xl:bottom-20"
    >
      {trouble ? (
        <div
          data-connection={trouble}
          className="pointer-events-auto flex max-w-160 items-center gap-3 rounded-md border border-l-3 border-line-strong border-l-warning bg-raised py-1.5 pr-1.5 pl-3 text-ink shadow-raised"
        >
          <Glyph name="warning" tone="warning" />
          <p className="min-w-0">
            <strong className="font-medium">{words[trouble]}</strong>{" "}
            <span className="text-muted">
              {trouble === "ended" ? (
                "What you entered is kept: sign in again and come back."
              ) : isWaiting ? (
                "What you entered is kept."
              ) : (
                <>
                  Shown is the state of <Clock at={good} />.
                </>
              )}
            </span>
          </p>
          {trouble === "ended" ? (
            <a
              href={`/login?${new URLSearchParams({ return_to: pathname + search })}`}
              target="_blank"
              title="Sign in, in a new tab"
              className={buttonClass({ size: "small", look: "primary" })}
            >
              Sign in
            </a>
          ) : null}
          <button
            type="button"
            className={buttonClass({ size: "small" })}
            onClick={() => connection.retry() || revalidate()}
          >
            Retry
          </button>
        </div>
      ) : null}
    </div>
  );
  return modal ? createPortal(bar, modal) : bar;
}

/** The reader's own clock: it is only ever drawn in their browser. */
function Clock({ at }: { at: number }) {
  const time = new Date(at);
  return (
    <time dateTime={time.toISOString()} title={time.toString()} className="whitespace-nowrap tabular-nums">
      {time.toLocaleTimeString(undefined, { timeStyle: "medium" })}
    </time>
  );
}
