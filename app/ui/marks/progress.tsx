import { cx } from "../parts/cx.ts";

/** Green up to 75 %, orange above, red above 90 (facts/ui-screens §1.6). `work` is progress, which is never bad. */
const colourOf = (percent: number, kind: "use" | "work") =>
  kind === "work" ? "bg-accent" : percent > 90 ? "bg-unhealthy" : percent > 75 ? "bg-warning" : "bg-healthy";

/**
 * A share as a bar, for how much of something is used or done. Never shorter than 5 %, so that a little can be seen;
 * the words beside it are `label`, which is read in its place.
 */
export function Progress({
  share,
  label,
  kind = "use",
}: {
  /** 0 to 1; more is drawn as 1. */
  share: number;
  label: string;
  kind?: "use" | "work";
}) {
  const percent = Math.round(Math.min(Math.max(Number.isFinite(share) ? share : 0, 0), 1) * 100);
  return (
    <span
      role={kind === "work" ? "progressbar" : "meter"}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="block h-1 min-w-12 overflow-hidden rounded-full bg-pressed forced-colors:border"
    >
      <i
        data-lamp=""
        className={cx("block h-full rounded-full", colourOf(percent, kind))}
        style={{ width: percent === 0 ? 0 : `${Math.max(percent, 5)}%` }}
      />
    </span>
  );
}
