/**
 * A tone is a meaning: what a colour says. Components ask for a tone and never name a health colour themselves.
 * Class names are written out because Tailwind reads them as text.
 */
export type Tone =
  | "healthy"
  | "unhealthy"
  | "warning"
  | "unknown"
  | "suspended"
  | "info"
  | "low"
  | "medium"
  | "high"
  | "blocker"
  | "critical"
  | "accent";

/** `lamp` colours a glyph, `word` the text beside it, `wash` the ground under it. */
export const TONE: Record<Tone, { lamp: string; word: string; wash: string }> = {
  healthy: { lamp: "text-healthy", word: "text-healthy-ink", wash: "bg-healthy-wash" },
  unhealthy: { lamp: "text-unhealthy", word: "text-unhealthy-ink", wash: "bg-unhealthy-wash" },
  warning: { lamp: "text-warning", word: "text-warning-ink", wash: "bg-warning-wash" },
  unknown: { lamp: "text-unknown", word: "text-unknown-ink", wash: "bg-unknown-wash" },
  suspended: { lamp: "text-suspended", word: "text-suspended-ink", wash: "bg-suspended-wash" },
  info: { lamp: "text-info", word: "text-info-ink", wash: "bg-info-wash" },
  low: { lamp: "text-low", word: "text-low-ink", wash: "bg-low-wash" },
  medium: { lamp: "text-medium", word: "text-medium-ink", wash: "bg-medium-wash" },
  high: { lamp: "text-high", word: "text-high-ink", wash: "bg-high-wash" },
  blocker: { lamp: "text-blocker", word: "text-blocker-ink", wash: "bg-blocker-wash" },
  critical: { lamp: "text-critical", word: "text-critical-ink", wash: "bg-critical-wash" },
  accent: { lamp: "text-accent", word: "text-accent-ink", wash: "bg-accent-wash" },
};

/** Good news is written in ordinary ink: green words would be the loudest thing on a healthy page. */
const CALM: ReadonlySet<Tone> = new Set<Tone>(["healthy", "info", "low", "medium"]);
export const wordClass = (name: Tone) => (CALM.has(name) ? "text-muted" : TONE[name].word);
