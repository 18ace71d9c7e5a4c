import type { ImportReport, ImportedDocument, Remark } from "#app/contract/rows/import-report.ts";
import { counted } from "#app/lib/format/count.ts";
import { Panel } from "#app/ui/frame/page.tsx";
import type { GlyphName } from "#app/ui/marks/glyph.tsx";
import { Glyph } from "#app/ui/marks/glyph.tsx";
import { TONE, type Tone } from "#app/ui/marks/tone.ts";
import { Notice } from "#app/ui/notice.tsx";

const FORMATS = { canary: "Canaries", gatus: "a configuration of Gatus", kuma: "a backup of Uptime Kuma" };
/** What became of a document, done and to be done. */
const WORDS: Record<ImportedDocument["status"], { done: string; dry: string; tone: Tone; glyph: GlyphName }> =
  {
    applied: { done: "Applied", dry: "Would be applied", tone: "healthy", glyph: "healthy" },
    changed: { done: "Changed", dry: "Would be changed", tone: "info", glyph: "info" },
    unchanged: { done: "Unchanged", dry: "Unchanged", tone: "unknown", glyph: "healthy" },
    refused: { done: "Refused", dry: "Would be refused", tone: "unhealthy", glyph: "unhealthy" },
    skipped: { done: "Left out", dry: "Left out", tone: "unknown", glyph: "unknown" },
  };
/** What wants a look comes first. */
const ORDER: readonly ImportedDocument["status"][] = [
  "refused",
  "applied",
  "changed",
  "skipped",
  "unchanged",
];
/** Lines of a report on the page, at the most. */
const SHOWN = 500;

/** What an import did, or would do, document by document. */
export function Report({ file, format, dry, documents, notes }: ImportReport) {
  const sorted = [...documents].sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  const refused = documents.filter(({ status }) => status === "refused").length;
  return (
    <section aria-label="Report" className="grid gap-3">
      <Notice tone={refused > 0 ? "unhealthy" : "healthy"}>
        <p className="font-semibold">
          {file}
          {format ? `, ${FORMATS[format]}` : ""}: {summaryOf(documents, dry)}
        </p>
        {dry ? <p>Nothing was written yet.</p> : null}
      </Notice>
      {notes.length > 0 ? (
        <Notice tone="info">
          <Remarks remarks={notes} />
        </Notice>
      ) : null}
      {documents.length > 0 ? (
        <Panel label="Documents">
          <ul className="divide-y divide-line">
            {sorted.slice(0, SHOWN).map((document, index) => (
              <DocumentLine key={index} {...document} dry={dry} />
            ))}
          </ul>
          {documents.length > SHOWN ? (
            <p className="border-t border-line px-4 py-3 text-muted">
              and {counted(documents.length - SHOWN, "more document")}
            </p>
          ) : null}
        </Panel>
      ) : null}
    </section>
  );
}

function summaryOf(documents: readonly ImportedDocument[], dry: boolean): string {
  const parts = ORDER.flatMap((status) => {
    const count = documents.filter((document) => document.status === status).length;
    return count > 0 ? [`${count} ${WORDS[status][dry ? "dry" : "done"].toLowerCase()}`] : [];
  });
  return parts.length > 0 ? parts.join(", ") : "there is nothing in it";
}

function DocumentLine({
  line,
  title,
  canary,
  status,
  reason,
  warnings,
  dry,
}: ImportedDocument & { dry: boolean }) {
  const { tone, glyph, ...words } = WORDS[status];
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[10rem_minmax(0,1fr)]">
      <span className={`inline-flex items-center gap-1.75 self-start ${TONE[tone].word}`}>
        <Glyph name={glyph} tone={tone} />
        {words[dry ? "dry" : "done"]}
      </span>
      <div className="min-w-0 wrap-anywhere">
        <p>
          <span className="font-medium">{title || canary || "A document"}</span>
          <span className="text-muted">
            {canary && !canary.endsWith(`/${title}`) && canary !== title ? ` → ${canary}` : ""} · line {line}
          </span>
        </p>
        {reason ? <Remarks remarks={[reason]} /> : null}
        {warnings.length > 0 ? <Remarks remarks={warnings} /> : null}
      </div>
    </li>
  );
}

function Remarks({ remarks }: { remarks: readonly Remark[] }) {
  return (
    <ul className="text-muted">
      {remarks.map(({ line, column, message }, index) => (
        <li key={index}>
          <span className="text-faint">
            line {line}
            {column === null ? "" : `, column ${column}`}:
          </span>{" "}
          {message}
        </li>
      ))}
    </ul>
  );
}
