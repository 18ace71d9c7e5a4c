import { CodeBlock } from "#app/ui/code-block.tsx";
import { CodeEditor } from "#app/ui/code-editor.tsx";
import { Field } from "#app/ui/field.tsx";
import { Columns, Example, Examples } from "./example.tsx";

const YAML = `apiVersion: apps/v1 # the edge
kind: Deployment
metadata:
  name: payments-gateway
  labels:
    app.kubernetes.io/version: "4.12.0"
spec:
  replicas: 6
  paused: false
  args: ["--listen", 8080, --a-very-long-argument-that-does-not-fit-into-a-line-and-shows-how-wrapping-works]
`;
const JSON_TEXT = `{
  "name": "payments-gateway",
  "replicas": 6,
  "ready": null,
  "labels": { "tier": "edge", "pci": true }
}
`;

export function CodeExamples() {
  return (
    <Examples
      id="code"
      lead="To read and to write. The editor stands over a textarea, which is what the form sends."
    >
      <Columns>
        <Example title="To read">
          <CodeBlock code={YAML} language="yaml" label="YAML" selected={[8, 9]} />
          <CodeBlock code={JSON_TEXT} language="json" label="JSON" />
          <CodeBlock code="kubectl get canaries" label="Command" />
        </Example>
        <Example title="To write">
          <form method="get" action="/ui" className="grid gap-2">
            <Field label="Spec" id="example-spec" hint="Tab indents; Escape, then Tab, goes on">
              <CodeEditor
                id="example-spec"
                name="query"
                language="yaml"
                defaultValue={YAML}
                aria-describedby="example-spec-error"
              />
            </Field>
            <Field label="Result" id="example-result" errors={["This is not what was expected"]}>
              <CodeEditor
                id="example-result"
                language="json"
                rows={6}
                readOnly
                defaultValue={JSON_TEXT}
                aria-describedby="example-result-error"
                aria-invalid
              />
            </Field>
          </form>
        </Example>
      </Columns>
    </Examples>
  );
}
