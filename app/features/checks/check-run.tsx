import { longDuration } from "#app/lib/format/duration.ts";
import { CodeBlock } from "#app/ui/code-block.tsx";
import { Glyph } from "#app/ui/marks/glyph.tsx";
import { When } from "#app/ui/marks/time.tsx";
import { TONE } from "#app/ui/marks/tone.ts";
import { CloseLink } from "#app/ui/parts/overlay.tsx";
import { cx } from "#app/ui/parts/cx.ts";
import { healthOfRun, RUN_WORDS } from "./run-words.ts";
import type { RunInFull } from "./history.server.ts";

/** What Run Now did, in full, above everything else. It is there because the address names it, and goes by a link. */
export function CheckRunPanel({ run, closeTo }: { run: RunInFull | null; closeTo: string }) {
  const health = run ? healthOfRun(run.status) : "unknown";
  return (
    <section
      aria-label="Result of the run"
      className={cx(
        "grid grid-cols-[minmax(0,1fr)_auto] items-start rounded-md border border-current/40 py-2 pl-3",
        TONE[health].wash,
        TONE[health].word,
      )}
    >
      {run ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2 text-ink">
          <p className="flex flex-wrap items-center gap-x-3">
            <strong className="inline-flex items-center gap-2 font-medium">
              <Glyph name={health} tone={health} />
              {RUN_WORDS[health]}
              {typeof run.duration === "number" ? ` in ${longDuration(run.duration)}` : ""}
            </strong>
            <When at={run.time} className="text-xs text-muted" />
          </p>
          {run.message ? <p className="whitespace-pre-line wrap-anywhere">{run.message}</p> : null}
          {run.error ? <p className="whitespace-pre-line wrap-anywhere">{run.error}</p> : null}
          <RunDetails run={run} />
        </div>
      ) : (
        <p className="text-ink">There is no run of that instant any more.</p>
      )}
      <CloseLink to={closeTo} label="Hide the result" />
    </section>
  );
}

/** What the check found, as it was stored. */
export function RunDetails({ run }: { run: RunInFull }) {
  if (!run.details) return null;
  return (
    <div className="[&_pre]:max-h-72 [&_pre]:overflow-y-auto">
      <CodeBlock
        code={run.details}
        language={run.isCut ? "text" : "json"}
        label={run.isCut ? "Details, their beginning" : "Details"}
      />
    </div>
  );
}
