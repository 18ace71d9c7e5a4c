import type { ReactNode } from "react";
import { cx } from "./parts/cx.ts";
import { Glyph, type GlyphName } from "./marks/glyph.tsx";
import { TONE, type Tone } from "./marks/tone.ts";

/** A message in its place on the page. One that reports a failure is announced (`role="alert"`). */
export function Notice({
  tone,
  glyph,
  role = tone === "unhealthy" ? "alert" : undefined,
  children,
}: {
  tone: Tone & GlyphName;
  glyph?: GlyphName;
  role?: "alert" | undefined;
  children: ReactNode;
}) {
  return (
    <div
      role={role}
      className={cx(
        "flex items-start gap-3 rounded-md border border-current/40 px-3 py-2",
        TONE[tone].wash,
        TONE[tone].word,
      )}
    >
      <Glyph name={glyph ?? tone} tone={tone} className="mt-1" />
      <div className="min-w-0 flex-1 text-ink wrap-anywhere">{children}</div>
    </div>
  );
}
