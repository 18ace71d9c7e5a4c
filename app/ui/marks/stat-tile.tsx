import type { ReactNode } from "react";
import type { Measure } from "#app/lib/format/duration.ts";
import { cx } from "../parts/cx.ts";
import { TONE, type Tone } from "./tone.ts";

/** An instrument cluster: one frame, hairlines between the dials. */
export function StatTiles({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(6.75rem,1fr))] gap-px overflow-clip rounded-lg border border-line bg-surface">
      {children}
    </dl>
  );
}

/** A label, a figure with its small unit, and one line of context. Each dial draws the hairline right and below it. */
export function StatTile({
  label,
  value,
  tone,
  context,
}: {
  label: string;
  /** A figure with its unit, or anything drawn in its place; nothing shows as a dash. */
  value: Measure | ReactNode | null;
  tone?: Tone | undefined;
  context?: ReactNode;
}) {
  return (
    <div className="grid min-w-0 content-start gap-0.5 px-3 pt-2.5 pb-2.75 shadow-[1px_0_0_var(--color-line),0_1px_0_var(--color-line)]">
      <dt className="text-xs whitespace-nowrap text-faint">{label}</dt>
      <dd className={cx("text-xl tracking-tight whitespace-nowrap", tone && TONE[tone].word)}>
        {value === null || value === undefined || value === "" ? (
          <span className="text-faint">–</span>
        ) : isMeasure(value) ? (
          <>
            {value.figure} <small className="text-sm tracking-normal text-muted">{value.unit}</small>
          </>
        ) : (
          value
        )}
      </dd>
      {context ? <dd className="text-xs text-muted">{context}</dd> : null}
    </div>
  );
}

const isMeasure = (value: unknown): value is Measure =>
  typeof value === "object" && value !== null && "figure" in value && "unit" in value;
