import { cx } from "../parts/cx.ts";

/**
 * The last results, oldest left. A pass is a short tick, a failure a tall one: the strip can be read without colour,
 * and a calm row stays low. Drawn as one SVG: fifty rows of twenty-four elements would be the page's whole weight.
 */
export function ResultStrip({
  passed,
  className,
}: {
  passed: readonly (boolean | null)[];
  className?: string;
}) {
  if (passed.length === 0) return null;
  let [good, bad, unknown] = ["", "", ""];
  let [passes, failures] = [0, 0];
  for (const [index, result] of passed.entries()) {
    const at = `M${index * 5 + 1.5} 16v-`;
    if (result === null) unknown += `${at}2`;
    else if (result) [good, passes] = [`${good}${at}6`, passes + 1];
    else [bad, failures] = [`${bad}${at}16`, failures + 1];
  }
  return (
    <svg role="img" width={passed.length * 5} height="16" className={cx("result-strip", className)}>
      <title>{`Last ${passed.length} results: ${passes} passed, ${failures} failed`}</title>
      {unknown ? <path d={unknown} className="text-faint" /> : null}
      {good ? <path d={good} className="text-healthy opacity-70" /> : null}
      {bad ? <path d={bad} className="text-unhealthy" /> : null}
    </svg>
  );
}
