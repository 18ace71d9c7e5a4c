import type { ReactNode } from "react";
import { cx } from "./parts/cx.ts";

/** Specification 1 §8. */
const NO_DATA = "No data available";

/**
 * A quiet state, and what to do next. Empty is not an error; the sun over a calm sea says so. `mark` replaces it where
 * the state is another one: a lock, a magnifier.
 */
export function Empty({
  title,
  children = NO_DATA,
  actions,
  mark,
  small = false,
  heading: Heading = "h2",
}: {
  title?: string;
  children?: ReactNode;
  actions?: ReactNode;
  mark?: ReactNode;
  small?: boolean;
  /** h1 where the state is the whole page. */
  heading?: "h1" | "h2" | "h3";
}) {
  return (
    <div className={cx("grid justify-items-center gap-2 text-center", small ? "px-4 py-5" : "px-5 py-12")}>
      <div
        className={cx("text-control [&>svg]:stroke-[1.5]", small ? "[&>svg]:h-7" : "mb-2 [&>svg]:h-12")}
        aria-hidden="true"
      >
        {mark ?? <CalmSea />}
      </div>
      {title ? <Heading>{title}</Heading> : null}
      <p className="max-w-120 text-balance text-muted">{children}</p>
      {actions ? <div className="mt-2 flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </div>
  );
}

function CalmSea() {
  return (
    <svg viewBox="0 0 96 48" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round">
      <path d="M4 30h88" />
      <path d="M20 37h24M54 37h30M34 43h18" opacity=".5" />
      <path d="M41 30a9 9 0 0 1 18 0" />
      <path d="M50 14v-4M36.5 19.5l-2.6-2.6M63.5 19.5l2.6-2.6" opacity=".5" />
    </svg>
  );
}
