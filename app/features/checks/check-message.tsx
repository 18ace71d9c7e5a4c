import { Glyph } from "#app/ui/marks/glyph.tsx";
import { healthOfRun, RUN_WORDS } from "./run-words.ts";

type Run = {
  status?: boolean | null | undefined;
  message?: string | null | undefined;
  error?: string | null | undefined;
};

/** What a run said: a mark, its message and its error, on lines of their own where they have several. */
export function CheckMessage({ run }: { run: Run }) {
  const health = healthOfRun(run.status);
  return (
    <span className="flex items-start gap-2">
      <Glyph name={health} tone={health} className="mt-1" />
      <span className="min-w-0 whitespace-pre-line">
        {run.message || run.error ? (
          <span className="sr-only">{RUN_WORDS[health]}: </span>
        ) : (
          RUN_WORDS[health]
        )}
        {run.message}
        {run.message && run.error ? (run.error.includes("\n") ? "\n" : " — ") : null}
        {run.error ? <span className={run.message ? "text-muted" : undefined}>{run.error}</span> : null}
      </span>
    </span>
  );
}
