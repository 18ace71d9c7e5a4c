import { Glyph, type GlyphName } from "#app/ui/marks/glyph.tsx";
import { wordClass, type Tone } from "#app/ui/marks/tone.ts";

/** facts/ui-screens §7.2: running yellow, warning orange, success green, failed and stopped red; each with its shape. */
const LOOKS: ReadonlyMap<string, [Tone, GlyphName]> = new Map<string, [Tone, GlyphName]>([
  ["RUNNING", ["info", "mixed"]],
  ["SUCCESS", ["healthy", "healthy"]],
  ["WARNING", ["warning", "warning"]],
  ["FAILED", ["unhealthy", "unhealthy"]],
  ["STOPPED", ["unhealthy", "suspended"]],
  ["STALE", ["unhealthy", "suspended"]],
  ["SKIPPED", ["unknown", "unknown"]],
]);

/** How a job went: shape, colour and its word in lower case. Nothing for a job that never ran. */
export function JobStatus({ status }: { status: string | null | undefined }) {
  if (!status) return null;
  const [tone, glyph] = LOOKS.get(status.toUpperCase()) ?? (["unknown", "unknown"] as const);
  return (
    <span className={`inline-flex items-center gap-1.75 whitespace-nowrap ${wordClass(tone)}`}>
      <Glyph name={glyph} tone={tone} />
      {status.toLowerCase()}
    </span>
  );
}
