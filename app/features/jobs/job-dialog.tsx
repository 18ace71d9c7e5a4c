import { CodeBlock } from "#app/ui/code-block.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Empty } from "#app/ui/empty.tsx";
import type { DetailPart } from "./job-details.server.ts";

/** What a run of a job said, part under part (specification 3 §2.4). Open because the address says so. */
export function JobDialog({
  name,
  parts,
  closeTo,
}: {
  name: string;
  parts: readonly DetailPart[];
  closeTo: string;
}) {
  return (
    <Dialog title={`Details for job ${name}`} closeTo={closeTo}>
      {parts.length === 0 ? <Empty small>No details found</Empty> : null}
      {parts.map((part) => (
        <section key={part.title} aria-label={part.title} className="grid gap-2">
          {part.kind === "code" ? (
            <CodeBlock label={part.title} language="yaml" code={part.code} />
          ) : (
            <>
              <h3 className="text-xs font-medium text-muted">{part.title}</h3>
              <ul className="divide-y divide-line rounded-lg border border-line">
                {part.lines.map((line, index) => (
                  <li key={index} className="px-3 py-2 whitespace-pre-wrap wrap-anywhere">
                    {line}
                  </li>
                ))}
              </ul>
            </>
          )}
        </section>
      ))}
    </Dialog>
  );
}
