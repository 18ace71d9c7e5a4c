import { cx } from "../parts/cx.ts";

/** The view from a pilothouse: a forward-raked window, the sea, one light. */
export function BrandMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={cx("size-6 flex-none text-ink", className)}>
      <path
        d="M3 4.75h18l-2.25 14.5H5.25Z"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinejoin="round"
      />
      <path d="M5.1 13.25h13.8l-.87 5.25H5.97Z" fill="currentColor" />
      <circle cx="14.75" cy="9.25" r="2.1" className="fill-accent" />
    </svg>
  );
}
