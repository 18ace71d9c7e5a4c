import type { CanaryDetailRow } from "#app/contract/rows/resources.ts";
import { CodeBlock } from "#app/ui/code-block.tsx";
import { KeyValue, KeyValues } from "#app/ui/key-values.tsx";
import { Tags } from "#app/ui/marks/badge.tsx";
import { When } from "#app/ui/marks/time.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { notOurs, sourceWord } from "./source.ts";

/** A resource to look at: made elsewhere, or by somebody who may not write (facts/ui-screens §1.8). */
export function ReadOnly({ row, code }: { row: CanaryDetailRow; code: string }) {
  const why = notOurs(row);
  return (
    <>
      {why ? (
        <Notice tone="info">
          {why}. It is changed where it was made{row.source === "ConfigFile" ? ": in that file" : ""}.
        </Notice>
      ) : null}
      <section aria-label="About it" className="rounded-lg border border-line bg-surface p-4">
        <KeyValues>
          <KeyValue name="Name">{row.name}</KeyValue>
          <KeyValue name="Namespace">{row.namespace}</KeyValue>
          <KeyValue name="Source">{sourceWord(row)}</KeyValue>
          <KeyValue name="Labels">
            {Object.keys(row.labels ?? {}).length > 0 ? <Tags labels={row.labels ?? {}} /> : null}
          </KeyValue>
          <KeyValue name="Created">{row.created_at ? <When at={row.created_at} /> : null}</KeyValue>
          <KeyValue name="Created by">{row.created_by?.name}</KeyValue>
        </KeyValues>
      </section>
      <CodeBlock label="Spec" language="yaml" code={code} />
    </>
  );
}
