import { z } from "zod";
import { envVar, readText, valueFrom, valueOf, valueOfParts } from "./env-var.ts";
import { expecting, REQUIRED, secret, text, unknownField, type Field } from "./fields.ts";

/** Fields that read more than they hold: values kept elsewhere, beside the plain `secret` of fields.ts, and other spellings. */

/** Rows of a name and a value that may be a secret, such as headers: EnvVars of the contract. */
export function envVars(label: string, hint?: string) {
  const fields = { name: text("Name"), value: secret("Value") };
  const row = z
    .strictObject(
      { name: fields.name.schema, value: fields.value.schema.optional(), valueFrom: valueFrom.optional() },
      { error: unknownField },
    )
    .superRefine((given, context) => {
      if ((given.value === undefined) === (given.valueFrom === undefined))
        context.addIssue({
          code: "custom",
          path: ["value"],
          message: given.value === undefined ? REQUIRED : "value and valueFrom cannot be given together",
        });
    })
    .transform(({ name, ...parts }) => ({ name, value: valueOfParts(parts) }));
  const schema = z.array(row, { error: expecting("a list") });
  return { widget: "list", label, hint, fields, schema } satisfies Field;
}

/** An address. It may be kept elsewhere as a whole (`secret://name/key`, or as a secret is), for it may hold one. */
export function address(label: string, hint?: string) {
  const line = z.string({ error: expecting("text") }).min(1, REQUIRED);
  const schema = z.preprocess((given) => {
    if (typeof given !== "object" || given === null) return given;
    const found = envVar.safeParse(given);
    return found.success ? String(JSON.parse(JSON.stringify(valueOf(found.data)))) : given;
  }, line.transform(readText));
  return { widget: "text", label, hint, schema } satisfies Field;
}

/** The same field, which is also taken in small letters. */
export function inCapitals<S extends z.ZodType>(field: Field<S>) {
  const capitals = (given: unknown) => (typeof given === "string" ? given.toUpperCase() : given);
  return { ...field, schema: z.preprocess(capitals, field.schema) };
}
