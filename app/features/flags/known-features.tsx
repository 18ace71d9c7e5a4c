import { Badge } from "#app/ui/marks/badge.tsx";
import { cx } from "#app/ui/parts/cx.ts";
import { PostForm } from "#app/ui/post-form.tsx";
import { SwitchButton } from "#app/ui/switch-button.tsx";
import { FEATURE_WORDS, FLAG_WORDS } from "#app/contract/words/features.ts";
import type { KnownFeature } from "./model.ts";

/** The product's features as switches, each with what it hides (specification 1 §6). */
export function KnownFeatures({
  features,
  canWrite,
}: {
  features: readonly KnownFeature[];
  canWrite: boolean;
}) {
  return (
    <ul className="divide-y divide-line">
      {features.map((known) => (
        <li
          key={known.feature}
          className={cx("flex items-start gap-3 py-2 pr-3", known.parent ? "pl-9" : "pl-4")}
        >
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-center gap-x-2">
              <span className="font-medium">{known.label}</span>
              <code className="font-mono text-xs wrap-anywhere text-faint">{known.feature}</code>
              {known.isLocal ? <Badge>local</Badge> : null}
            </p>
            <p className="text-pretty text-muted">
              {known.hides}
              {whyOff(known)}
            </p>
          </div>
          <State known={known} canWrite={canWrite} />
        </li>
      ))}
    </ul>
  );
}

/** Why it is off though nobody switched it off, or why nobody can switch it here. */
function whyOff({ isOn, isOffItself, isLocal, parent }: KnownFeature): string {
  if (!isOn && !isOffItself && parent) return ` Off because ${FEATURE_WORDS[parent].label} is.`;
  return isLocal ? ` ${FLAG_WORDS.local}.` : "";
}

function State({ known, canWrite }: { known: KnownFeature; canWrite: boolean }) {
  const { feature, label, isOn, isOffItself, isLocal, parent } = known;
  if (!canWrite || isLocal) return <span className="py-1 text-muted">{isOn ? "On" : "Off"}</span>;
  const isHeldOff = !isOn && !isOffItself && parent !== null;
  return (
    <PostForm intent="switch">
      <input type="hidden" name="feature" value={feature} />
      <input type="hidden" name="to" value={isOffItself ? "on" : "off"} />
      <SwitchButton on={isOn} label={label} disabled={isHeldOff} />
    </PostForm>
  );
}
