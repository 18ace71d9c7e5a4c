import { cx } from "../parts/cx.ts";
import { Glyph, type GlyphName } from "./glyph.tsx";
import { TONE, wordClass, type Tone } from "./tone.ts";

type Look = { tone: Tone; glyph: GlyphName };
const look = (tone: Tone, glyph: GlyphName): Look => ({ tone, glyph });
const RED = look("unhealthy", "unhealthy");
const ORANGE = look("warning", "warning");

/** Specification 1 §4: red for degraded, missing, unhealthy; grey for unknown, suspended; orange for warnings. */
const LOOKS: ReadonlyMap<string, Look> = new Map([
  ["degraded", RED],
  ["missing", RED],
  ["unhealthy", RED],
  ["bad", RED],
  ["unknown", look("unknown", "unknown")],
  ["suspended", look("suspended", "suspended")],
  ["warning", ORANGE],
  ["warn", ORANGE],
  ["mixed", look("warning", "mixed")],
]);
const GREEN = look("healthy", "healthy");
const NEVER_RAN = look("unknown", "unknown");

/** Any other word is green, as the specification says; no word at all is nobody's good news. */
export function lookOfHealth(health: string | null | undefined): Look {
  const word = health?.trim().toLowerCase();
  return word ? (LOOKS.get(word) ?? GREEN) : NEVER_RAN;
}

export const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Shape, colour and word. `label` replaces the word, never removes it. */
export function Status({ health, label }: { health: string | null | undefined; label?: string }) {
  const { tone, glyph } = lookOfHealth(health);
  return (
    <span
      className={cx(
        "inline-flex min-w-0 items-center gap-1.75 whitespace-nowrap align-middle",
        wordClass(tone),
      )}
    >
      <Glyph name={glyph} tone={tone} />
      {label ?? capitalised(health || "unknown")}
    </span>
  );
}

/** A state that is the most important thing in its line: shape, word and its own light. */
export function StatusPill({ health }: { health: string | null | undefined }) {
  const { tone, glyph } = lookOfHealth(health);
  return (
    <span
      className={cx(
        "inline-flex flex-none items-center gap-1.5 rounded-full border border-current/40 py-px pr-2.5 pl-2 text-xs font-medium whitespace-nowrap",
        TONE[tone].word,
        TONE[tone].wash,
      )}
    >
      <Glyph name={glyph} tone={tone} />
      {capitalised(health || "unknown")}
    </span>
  );
}

/** The same, counted: "◆ 7 failing". `word` is read aloud even where only the number is drawn. */
export function Count({
  health,
  value,
  word,
  showWord = false,
}: {
  health: string;
  value: string;
  word: string;
  showWord?: boolean;
}) {
  const { tone, glyph } = lookOfHealth(health);
  return (
    <span
      className={cx(
        "inline-flex items-center gap-1.25 whitespace-nowrap",
        wordClass(tone),
        tone !== "healthy" && "font-medium",
      )}
    >
      <Glyph name={glyph} tone={tone} />
      <span>
        {value}
        <span className={showWord ? undefined : "sr-only"}>{` ${word}`}</span>
      </span>
    </span>
  );
}

const SEVERITIES: ReadonlySet<string> = new Set(["info", "low", "medium", "high", "blocker", "critical"]);

/** Severity as a signal strength with its word (specification 1 §3); an unknown word is drawn without a shape. */
export function Severity({ severity }: { severity: string }) {
  const word = severity.toLowerCase();
  if (!SEVERITIES.has(word)) return <span>{capitalised(severity)}</span>;
  const tone = word as Tone & GlyphName;
  return (
    <span className={cx("inline-flex items-center gap-1.75 whitespace-nowrap align-middle", wordClass(tone))}>
      <Glyph name={tone} tone={tone} />
      {capitalised(word)}
    </span>
  );
}
