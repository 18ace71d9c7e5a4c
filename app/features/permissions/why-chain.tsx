import { Link } from "@remix-run/react";
import type { Why } from "#app/contract/rows/permissions.ts";
import type { ResourceKind, Right } from "#app/contract/words/permissions.ts";
import { LINK } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { cx } from "#app/ui/parts/cx.ts";
import { Notice } from "#app/ui/notice.tsx";
import { chainOf, verdictOf, type Step } from "./model.ts";
import { permissionPath } from "./paths.ts";

/** Why somebody may or may not do a thing: the verdict, then what led to it, from the role on. */
export function WhyChain({
  why,
  who,
  right,
  kind,
}: {
  why: Why;
  who: string;
  right: Right;
  kind: ResourceKind;
}) {
  const steps = chainOf(why, right, kind);
  return (
    <Card title="Why">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Notice tone={why.verdict === "yes" ? "healthy" : "warning"}>
          <p className="font-medium">{verdictOf(why, who, right)}</p>
        </Notice>
        <ol className="grid gap-2">
          {steps.map((step, at) => (
            <Line key={step.record ?? at} step={step} />
          ))}
        </ol>
        <p className="text-xs text-faint">
          A denial wins over everything that allows. What a permission says of a canary holds for its checks;
          of a catalog item, not for what is under it.
        </p>
      </div>
    </Card>
  );
}

const SAYS: Record<Step["says"], { word: string; look: string }> = {
  allows: { word: "Allows", look: "text-healthy-ink" },
  denies: { word: "Denies", look: "text-unhealthy-ink" },
  nothing: { word: "Nothing", look: "text-muted" },
};

function Line({ step: { title, says, detail, counts, record } }: { step: Step }) {
  return (
    <li
      className={cx(
        "grid grid-cols-[5rem_minmax(0,1fr)] gap-x-3 rounded-md border border-line px-3 py-2",
        !counts && "border-dashed",
      )}
    >
      <span className={cx("font-medium", counts ? SAYS[says].look : "text-faint")}>
        {counts ? SAYS[says].word : "Not now"}
      </span>
      <span className="min-w-0 wrap-anywhere">
        {record ? (
          <Link to={permissionPath(record)} className={LINK}>
            {title}
          </Link>
        ) : (
          title
        )}{" "}
        {detail}
      </span>
    </li>
  );
}
