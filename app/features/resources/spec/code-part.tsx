import { CodeEditor } from "#app/ui/code-editor.tsx";
import { FieldNote } from "#app/ui/field.tsx";
import type { Answer } from "./draft.ts";
import { CODE_ID } from "./places.ts";

/** The whole spec as YAML. What is wrong stands at its line. */
export function CodePart({ answer: { draft, lines } }: { answer: Answer }) {
  const said =
    lines.length > 0
      ? [`${lines.length === 1 ? "One line needs" : `${lines.length} lines need`} a look`]
      : null;
  return (
    <div className="grid gap-1">
      <label htmlFor={CODE_ID} className="font-medium">
        Spec
      </label>
      <CodeEditor
        id={CODE_ID}
        name="code"
        language="yaml"
        rows={24}
        defaultValue={draft.code}
        marks={lines}
        aria-invalid={lines.length > 0 || undefined}
        aria-describedby={`${CODE_ID}-error`}
      />
      <FieldNote id={CODE_ID} errors={said} hint="YAML. Comments are not kept." />
    </div>
  );
}
