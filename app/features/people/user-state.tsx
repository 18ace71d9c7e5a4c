import { Glyph, type GlyphName } from "#app/ui/marks/glyph.tsx";
import type { Tone } from "#app/ui/marks/tone.ts";

const STATES: ReadonlyMap<string, { label: string; glyph: GlyphName & Tone }> = new Map([
  ["active", { label: "Active", glyph: "healthy" }],
  ["invited", { label: "Invited", glyph: "unknown" }],
  ["inactive", { label: "Inactive", glyph: "suspended" }],
]);

/** How a user stands: colour, shape and word. */
export function UserState({ state }: { state: string }) {
  const { label, glyph } = STATES.get(state) ?? { label: state, glyph: "unknown" as const };
  return (
    <span className="inline-flex items-center gap-1.5">
      <Glyph name={glyph} tone={glyph} />
      {label}
    </span>
  );
}
