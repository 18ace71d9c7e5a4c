import { z } from "zod";

/**
 * A value that is kept elsewhere (facts: engines §13.2). A spec holds the reference; whoever runs it looks the value up,
 * just before it is needed, and stores it nowhere.
 */
export class Reference {
  readonly kind: "secret" | "configmap" | "helm" | "serviceaccount";
  readonly name: string;
  /** Which of the values of that name; empty for a service account. */
  readonly key: string;

  constructor(kind: Reference["kind"], name: string, key = "") {
    this.kind = kind;
    this.name = name;
    this.key = key;
  }

  /** The same as YAML has it, for whoever writes a parsed spec down. */
  toJSON(): string {
    return `${this.kind}://${this.name}${this.key === "" ? "" : `/${this.key}`}`;
  }
}

const words = "text, {value: text} or {valueFrom: {secretKeyRef: {name, key}}}, also configMapKeyRef";
const plain = z.union([z.string(), z.number(), z.boolean()]);
const keyRef = z.strictObject(
  { name: z.string({ error: "This field is required" }), key: z.string({ error: "This field is required" }) },
  { error: (issue) => (issue.code === "unrecognized_keys" ? undefined : "This field must be {name, key}") },
);

/** `valueFrom` of an EnvVar: exactly one place where the value is. */
export const valueFrom = z
  .strictObject(
    {
      secretKeyRef: keyRef.optional(),
      configMapKeyRef: keyRef.optional(),
      helmRef: keyRef.optional(),
      serviceAccount: z.string().optional(),
    },
    {
      error: (issue) =>
        issue.code === "unrecognized_keys"
          ? `unknown field ${issue.keys.join(", ")}: a value comes from secretKeyRef or configMapKeyRef`
          : "This field must be {secretKeyRef: {name, key}} or {configMapKeyRef: {name, key}}",
    },
  )
  .superRefine((given, context) => {
    if (Object.values(given).filter((part) => part !== undefined).length !== 1)
      context.addIssue({
        code: "custom",
        message: "This field must have one of secretKeyRef and configMapKeyRef",
      });
  });

/** `value`, `{value}` or `{valueFrom}`, as YAML has it. */
export const envVar = z.union(
  [plain, z.strictObject({ value: plain }), z.strictObject({ name: z.string().optional(), valueFrom })],
  {
    error: (issue) => (issue.input === undefined ? "This field is required" : `This field must be ${words}`),
  },
);

/**
 * The value, or where it is. It is typed as text because whoever runs a spec is given the text: between reading a spec
 * and running it every `Reference` is replaced (server/engines/references.ts).
 */
export function valueOf(given: z.output<typeof envVar>): string {
  if (typeof given !== "object") return readText(String(given));
  return "value" in given ? readText(String(given.value)) : asText(referenceOf(given.valueFrom));
}

/** The same for `{value, valueFrom}` of a row that has a name too. */
export function valueOfParts(parts: {
  value?: string | undefined;
  valueFrom?: z.output<typeof valueFrom> | undefined;
}): string {
  return parts.valueFrom ? asText(referenceOf(parts.valueFrom)) : (parts.value ?? "");
}

/** `secret://name/key` and its like are references; every other text is itself. */
export function readText(text: string): string {
  const [, kind, name = "", key = ""] =
    /^(secret|configmap|helm|serviceaccount):\/\/([^/\s]+)(?:\/([^/\s]+))?$/.exec(text) ?? [];
  if (kind === undefined || (key === "" && kind !== "serviceaccount")) return text;
  return asText(new Reference(kind as Reference["kind"], name, key));
}

function referenceOf(from: z.output<typeof valueFrom>): Reference {
  const { secretKeyRef, configMapKeyRef, helmRef, serviceAccount = "" } = from;
  if (secretKeyRef) return new Reference("secret", secretKeyRef.name, secretKeyRef.key);
  if (configMapKeyRef) return new Reference("configmap", configMapKeyRef.name, configMapKeyRef.key);
  if (helmRef) return new Reference("helm", helmRef.name, helmRef.key);
  return new Reference("serviceaccount", serviceAccount);
}

const asText = (reference: Reference) => reference as unknown as string;
