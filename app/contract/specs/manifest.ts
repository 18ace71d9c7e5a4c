/** Canaries as the YAML of their files: what an export gives, and an import reads back as the same. */
import { Document, isScalar, Scalar, visit } from "yaml";

/** What of a canary is in its file. */
export interface CanaryFile {
  name: string;
  namespace: string;
  labels?: Readonly<Record<string, string>> | null;
  annotations?: Readonly<Record<string, string>> | null;
  spec: Readonly<Record<string, unknown>>;
}

/** One manifest per canary, in the order given; nothing for none. Secrets typed into a spec are in it. */
export function canariesYaml(canaries: readonly CanaryFile[]): string {
  return canaries.map(yamlOf).join("---\n");
}

/** Long lines stay whole, what occurs twice is written twice: people read and edit these files. */
function yamlOf(canary: CanaryFile): string {
  const document = new Document(manifestOf(canary), { aliasDuplicateObjects: false });
  // A field of this name would be read as the merging of another map.
  visit(document, {
    Pair(_, { key }) {
      if (isScalar(key) && key.value === "<<") key.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document.toString({ lineWidth: 0 });
}

function manifestOf({ name, namespace, labels, annotations, spec }: CanaryFile) {
  return {
    apiVersion: "canaries.flanksource.com/v1",
    kind: "Canary",
    metadata: { name, namespace, ...given("labels", labels), ...given("annotations", annotations) },
    spec,
  };
}

const given = (key: string, texts: CanaryFile["labels"]) =>
  texts && Object.keys(texts).length > 0 ? { [key]: texts } : {};
