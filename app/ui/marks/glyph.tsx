import { cx } from "../parts/cx.ts";
import { TONE, type Tone } from "./tone.ts";

/**
 * Ships show their state by day with shapes: a ball, a cone, a diamond. So do we; colour comes on top.
 * Ball healthy · cone warning · diamond unhealthy · half ball mixed · broken ring unknown · two bars suspended;
 * severities are a signal strength.
 */
const bars = (lit: number) =>
  [0.4, 3.4, 6.4, 9.4].map((x, index) => {
    const height = 3 + index * 2.4;
    return (
      <rect
        key={x}
        x={x}
        y={11 - height}
        width="2.2"
        height={height}
        rx=".6"
        opacity={index < lit ? 1 : 0.28}
      />
    );
  });
const ring = { cx: 6, cy: 6, r: 4.6, fill: "none", stroke: "currentColor", strokeWidth: 1.5 };

const SHAPES = {
  healthy: <circle cx="6" cy="6" r="3.6" />,
  unhealthy: <path fillRule="evenodd" d="M6 .2 11.8 6 6 11.8.2 6Zm-.75 3.1v3.2h1.5V3.3Zm0 4.2V9h1.5V7.5Z" />,
  warning: <path fillRule="evenodd" d="M6 .7 11.8 11H.2Zm-.7 3.7v3.1h1.4V4.4Zm0 4v1.3h1.4V8.4Z" />,
  mixed: (
    <>
      <path d="M6 1.4a4.6 4.6 0 0 0 0 9.2Z" />
      <circle {...ring} />
    </>
  ),
  unknown: <circle {...ring} strokeDasharray="2.6 2.22" />,
  suspended: <path d="M2.6 1.6h2.4v8.8H2.6Zm4.4 0h2.4v8.8H7Z" />,
  done: (
    <path
      fillRule="evenodd"
      d="M6 .6a5.4 5.4 0 1 1 0 10.8A5.4 5.4 0 0 1 6 .6Zm2.35 3.15L5.3 6.8 3.75 5.25l-.95.95 2.5 2.5 4-4Z"
    />
  ),
  info: (
    <>
      <circle {...ring} />
      <path d="M6 5.4v3" stroke="currentColor" strokeWidth="1.5" />
      <circle cx="6" cy="3.6" r=".85" />
    </>
  ),
  low: <>{bars(1)}</>,
  medium: <>{bars(2)}</>,
  high: <>{bars(3)}</>,
  critical: <>{bars(4)}</>,
  blocker: <path fillRule="evenodd" d="M3.7.4h4.6l3.3 3.3v4.6l-3.3 3.3H3.7L.4 8.3V3.7ZM3 5.1v1.8h6V5.1Z" />,
};
export type GlyphName = keyof typeof SHAPES;

/** At night, only the lamps that want something from you glow. */
const GLOWS: ReadonlySet<Tone> = new Set<Tone>(["unhealthy", "warning", "critical", "blocker", "high"]);

/** A 12-pixel shape for the eye only; the word beside it is for everybody. */
export function Glyph({ name, tone, className }: { name: GlyphName; tone: Tone; className?: string }) {
  return (
    <svg
      viewBox="0 0 12 12"
      aria-hidden="true"
      className={cx("glyph", TONE[tone].lamp, GLOWS.has(tone) && "glyph-glow", className)}
    >
      {SHAPES[name]}
    </svg>
  );
}
