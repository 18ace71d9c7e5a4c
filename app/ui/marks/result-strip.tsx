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
  const good = passed.filter((result) => result === true).length;
  const bad = passed.filter((result) => result === false).length;
  const label = `Last ${passed.length} results: ${good} passed, ${bad} failed`;
  const ticks = (wanted: boolean | null, height: number) =>
    passed.map((result, index) => (result === wanted ? `M${index * 5 + 1.5} 16v-${height}` : "")).join("");
  return (
    <svg
      role="img"
      aria-label={label}
      width={passed.length * 5}
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="3"
      data-lamp=""
      className={cx("align-middle", className)}
    >
      <title>{label}</title>
      <path d={ticks(null, 2)} className="text-faint" />
      <path d={ticks(true, 6)} className="text-healthy opacity-70" />
      <path d={ticks(false, 16)} className="text-unhealthy" />
    </svg>
  );
}
