import { duration } from "#app/lib/format/duration.ts";
import { Button, LINK } from "#app/ui/button.tsx";
import { ErrorSummary } from "#app/ui/form-sheet.tsx";
import { Status } from "#app/ui/marks/status.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { idOf } from "./controls.tsx";
import type { Answer, TestedCheck } from "./draft.ts";
import { CODE_ID, FINDINGS, TESTED } from "./places.ts";

/** What stands between what was typed and its being saved: fields, lines, the server's own words, somebody else. */
export function Findings({ answer: { problems, lines, errors, isWrapped, conflict } }: { answer: Answer }) {
  if (problems.length + lines.length + errors.length === 0 && !conflict) return null;
  return (
    <div id={FINDINGS} tabIndex={-1} className="grid gap-3 outline-none">
      {errors.length > 0 ? <Notice tone="unhealthy">{errors.join(" ")}</Notice> : null}
      <ErrorSummary
        errors={problems.map(({ name, label, message }) => ({ id: idOf(name), label, message }))}
      />
      {lines.length > 0 ? (
        <Notice tone="unhealthy">
          <p className="font-semibold">The code needs a look</p>
          <ul className="mt-1">
            {lines.map(({ line, message }, index) => (
              <li key={index}>
                <a href={`#${CODE_ID}`} data-line={line} className={LINK}>
                  Line {line}
                </a>{" "}
                — {message}
              </li>
            ))}
          </ul>
          {isWrapped ? (
            <p className="mt-2 flex flex-wrap items-center gap-2">
              This is a whole manifest; here belongs only what stands under spec.
              <Button name="step" value="unwrap" size="small">
                Take the spec out of it
              </Button>
            </p>
          ) : null}
        </Notice>
      ) : null}
      {conflict ? (
        <Notice tone="warning" role="alert">
          <p className="font-semibold">
            Somebody else has changed this in the meantime. Nothing of yours is saved yet.
          </p>
          {conflict.changes.length > 0 ? (
            <>
              <p className="mt-1">Since you opened it:</p>
              <ul className="mt-1 list-disc pl-5">
                {conflict.changes.map((change) => (
                  <li key={change}>{change}</li>
                ))}
              </ul>
            </>
          ) : null}
          <p className="mt-1">“Save anyway” puts yours in its place.</p>
        </Notice>
      ) : null}
    </div>
  );
}

/** What a test before saving found, check by check. */
export function Tested({ checks }: { checks: readonly TestedCheck[] }) {
  const failed = checks.filter(({ pass }) => pass === false).length;
  return (
    <section
      id={TESTED}
      tabIndex={-1}
      aria-label="Test"
      className="rounded-lg border border-line bg-surface outline-none"
    >
      <header className="border-b border-line px-4 py-2">
        <h2>
          {checks.length === 0
            ? "There is nothing to test in it"
            : failed === 0
              ? "The test passed"
              : `The test failed: ${failed} of ${checks.length}`}
        </h2>
        <p className="text-xs text-muted">Run once just now. Nothing is saved.</p>
      </header>
      <ul className="divide-y divide-line">
        {checks.map(({ type, name, pass, duration: ms, message, error }) => (
          <li
            key={`${type} ${name}`}
            className="grid gap-1 px-4 py-2 sm:grid-cols-[8rem_minmax(0,14rem)_minmax(0,1fr)]"
          >
            <Status
              health={pass === null ? "unknown" : pass ? "healthy" : "unhealthy"}
              label={pass === null ? "Not run" : pass ? "Passed" : "Failed"}
            />
            <span className="min-w-0 wrap-anywhere">
              {name} <span className="text-faint">{[type, duration(ms)].filter(Boolean).join(" · ")}</span>
            </span>
            <span className="min-w-0 whitespace-pre-line text-muted wrap-anywhere">
              {[message, error].filter(Boolean).join("\n")}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
