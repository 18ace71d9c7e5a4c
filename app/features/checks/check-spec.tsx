import { counted } from "#app/lib/format/count.ts";
import { CodeBlock } from "#app/ui/code-block.tsx";
import { Empty } from "#app/ui/empty.tsx";
import type { SpecInDrawer } from "./spec.server.ts";

/** The canary's spec to read, with the lines of this check marked (facts/ui-screens §3.7). */
export function CheckSpec({ spec }: { spec: SpecInDrawer | null }) {
  if (!spec) return <Empty small>This check has no canary whose spec could be shown.</Empty>;
  return (
    <>
      {spec.isMasked ? (
        <p className="text-xs text-muted">
          What may be a secret is masked: only those who may change canaries see it.
        </p>
      ) : null}
      <CodeBlock code={spec.yaml} language="yaml" label="YAML" selected={spec.selected} />
      {spec.unshown > 0 ? (
        <p className="text-xs text-muted">{counted(spec.unshown, "more line")} not shown.</p>
      ) : null}
    </>
  );
}
