import { z } from "zod";
import { envVar, valueOf } from "./env-var.ts";

/**
 * A field is data: the schema an engine checks with, the words a form shows, and through `z.toJSONSchema` what a YAML
 * editor validates with. No React and no I/O. Only the control plane and loaders import it: pages get `describe(fields)`.
 */
type Widget =
  | "text"
  | "textarea"
  | "number"
  | "flag"
  | "select"
  | "schedule"
  | "secret"
  | "keyValue"
  | "group"
  | "list"
  | "values";

export interface Field<S extends z.ZodType = z.ZodType> {
  label: string;
  hint?: string;
  widget: Widget;
  schema: S;
  /** The choices of a `select`. */
  options?: readonly string[];
  /** What is inside a `group`, or in each row of a `list`. */
  fields?: Fields;
  /** What each entry of `values` is. */
  item?: "text" | "number";
  min?: number;
  max?: number;
}
export interface Fields {
  [name: string]: Field;
}
export type ShapeOf<F extends Fields> = { [K in keyof F]: F[K]["schema"] };

export const REQUIRED = "This field is required";

/** What a wrong value is called: absent is "required" (specification 1 §5), anything else says what is expected. */
export const expecting = (what: string) => (issue: { input?: unknown }) =>
  issue.input === undefined || issue.input === null ? REQUIRED : `This field must be ${what}`;

/** One line of text; empty counts as absent. */
export function text(label: string, hint?: string): Field<z.ZodString> {
  return { widget: "text", label, hint, schema: z.string({ error: expecting("text") }).min(1, REQUIRED) };
}

/** Several lines of text; may be empty. */
export function textarea(label: string, hint?: string): Field<z.ZodString> {
  return { widget: "textarea", label, hint, schema: z.string({ error: expecting("text") }) };
}

/** A number between `min` (0 unless said) and `max`. Numbers in quotes, as YAML often has them, are taken. */
export function number(
  label: string,
  { min = 0, max, hint }: { min?: number; max?: number; hint?: string } = {},
) {
  const schema = z.number({ error: expecting("a number") }).min(min);
  const bounded = max === undefined ? schema : schema.max(max);
  return { widget: "number", label, hint, min, max, schema: numeric(bounded) } satisfies Field;
}

/** A tick box; absent is false. */
export function flag(label: string, hint?: string): Field<z.ZodDefault<z.ZodBoolean>> {
  return {
    widget: "flag",
    label,
    hint,
    schema: z.boolean({ error: expecting("true or false") }).default(false),
  };
}

/** One of the options. */
export function select<const T extends readonly [string, ...string[]]>(
  label: string,
  options: T,
  hint?: string,
) {
  const schema = z.enum(options, { error: expecting(`one of ${options.join(", ")}`) });
  return { widget: "select", label, hint, options, schema } satisfies Field;
}

/** `@every 30s`, `@hourly`, or cron with five or six fields, `TZ=` allowed. Read by the engines' planners. */
export function schedule(label = "Schedule"): Field<z.ZodString> {
  const hint = "@every 30s, @hourly, or cron with five or six fields; UTC unless it begins with TZ=Zone";
  return { widget: "schedule", label, hint, schema: z.string({ error: expecting("text") }).min(1, REQUIRED) };
}

/**
 * A value that may be a secret: `value`, `{value: …}`, `{valueFrom: {secretKeyRef: {name, key}}}` (or configMapKeyRef) or
 * `secret://name/key`. A reference is looked up just before the run, so runners see the text.
 */
export function secret(label: string, hint?: string) {
  return { widget: "secret", label, hint, schema: envVar.transform(valueOf) } satisfies Field;
}

/** A map of text to text, such as labels. Numbers and booleans, as YAML has them, become text. */
export function keyValue(label: string, hint?: string) {
  const value = z
    .union([z.string(), z.number(), z.boolean()], { error: expecting("text") })
    .transform(String);
  const schema = z.record(z.string(), value, { error: expecting("a map of text to text") });
  return { widget: "keyValue", label, hint, schema } satisfies Field;
}

/** Several fields under one name. */
export function group<F extends Fields>(label: string, fields: F, hint?: string) {
  return { widget: "group", label, hint, fields, schema: schemaOf(fields) } satisfies Field;
}

/** Rows of the same fields. */
export function list<F extends Fields>(label: string, fields: F, hint?: string) {
  const schema = z.array(schemaOf(fields), { error: expecting("a list") });
  return { widget: "list", label, hint, fields, schema } satisfies Field;
}

/** A list of plain numbers, such as response codes. */
export function numbers(
  label: string,
  { min = 0, max, hint }: { min?: number; max?: number; hint?: string } = {},
) {
  const schema = z.array(number(label, { min, max }).schema, { error: expecting("a list of numbers") });
  return { widget: "values", item: "number", label, hint, min, max, schema } satisfies Field;
}

/** A list of plain texts, one line each. */
export function texts(label: string, hint?: string) {
  const schema = z.array(z.string({ error: expecting("text") }), { error: expecting("a list of texts") });
  return { widget: "values", item: "text", label, hint, schema } satisfies Field;
}

/** `30s`, `1h30m`, `7d`: Go's durations with d, w and y. */
export function duration(label: string, hint = "Such as 30m or 7d") {
  const pattern = /^(\d+(\.\d+)?(ms|[smhdwy]))+$/;
  const schema = z.string({ error: expecting("a duration such as 30m or 7d") }).regex(pattern, {
    error: "This field must be a duration such as 30m or 7d",
  });
  return { widget: "text", label, hint, schema } satisfies Field;
}

/** Bytes: `500`, `10MB`, `2Gi`; k, M, G and T are powers of 1024 with or without an i. */
export function size(label: string, hint = "Such as 500k, 10MB or 2Gi") {
  const pattern = /^\s*\d+(\.\d+)?\s*([kmgtKMGT]i?)?[bB]?\s*$/;
  const words = "a size such as 500k, 10MB or 2Gi";
  const schema = z
    .union([z.string().regex(pattern, { error: `This field must be ${words}` }), z.number().min(0)], {
      error: expecting(words),
    })
    .transform(String);
  return { widget: "text", label, hint, schema } satisfies Field;
}

/** The same field, which may be left out. */
export function optional<S extends z.ZodType>(field: Field<S>): Field<z.ZodOptional<S>> {
  return { ...field, schema: field.schema.optional() };
}

/** The schema of a table of fields. A name that is not in the table is refused, never silently ignored. */
export function schemaOf<F extends Fields>(fields: F): z.ZodObject<ShapeOf<F>, z.core.$strict> {
  const shape = Object.fromEntries(
    Object.entries(fields).map(([name, { schema, label, hint }]) => [
      name,
      schema.meta({ title: label, ...(hint === undefined ? {} : { description: hint }) }),
    ]),
  );
  return z.strictObject(shape as ShapeOf<F>, { error: unknownField });
}

/** What a map of fields is told that is none, or that has others than it may have. */
export function unknownField(issue: { code?: string; keys?: string[]; input?: unknown }): string {
  const { code, keys = [] } = issue;
  return code === "unrecognized_keys"
    ? `unknown field${keys.length > 1 ? "s" : ""} ${keys.join(", ")}`
    : expecting("a map of fields")(issue);
}

/** `"250"` is 250, as YAML with quotes has it; everything else is left for the schema to judge. */
function numeric<S extends z.ZodNumber>(schema: S) {
  return z.preprocess(
    (given) =>
      typeof given === "string" && given.trim() !== "" && Number.isFinite(Number(given))
        ? Number(given)
        : given,
    schema,
  );
}

/** A field as plain data: what a form needs to draw it, without any validator. */
export interface FieldDescription {
  name: string;
  label: string;
  hint?: string;
  widget: Widget;
  required: boolean;
  options?: readonly string[];
  item?: "text" | "number";
  min?: number;
  max?: number;
  default?: string | number | boolean;
  fields?: FieldDescription[];
}

/** Plain data for forms, in the order of the table. */
export function describe(fields: Fields): FieldDescription[] {
  return Object.entries(fields).map(([name, { schema, fields: inner, ...field }]) => {
    const absent = schema.safeParse(undefined);
    const fallback = absent.success ? absent.data : undefined;
    return clean({
      name,
      ...field,
      required: !absent.success,
      default: typeof fallback === "object" ? undefined : (fallback as FieldDescription["default"]),
      fields: inner && describe(inner),
    });
  });
}

const clean = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;

/** One line per problem, `path: words`, as check results and API errors show them. */
export function problems(error: z.ZodError): string {
  return error.issues
    .map((issue) => (issue.path.length > 0 ? `${issue.path.join(".")}: ${issue.message}` : issue.message))
    .join("\n");
}
