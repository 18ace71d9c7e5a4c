import { z } from "zod";

/** What we ask the database API for: a relation, the columns, and the shape we promise to get. */
export interface View<Row = unknown> {
  table: string;
  select: string;
  row: z.ZodType<Row>;
}
export type RowOf<V> = V extends View<infer Row> ? Row : never;

/** The `select=` clause is derived from the schema, so a row can never be typed wider than it was asked for. */
export function view<S extends z.ZodRawShape>(
  table: string,
  row: z.ZodObject<S>,
): View<z.output<z.ZodObject<S>>> {
  return { table, select: selectOf(row), row };
}

/** Names the foreign key when the API cannot guess it: `team: embed("team_id", Team)` → `team:team_id(…)`. */
export function embed<T extends z.ZodType>(hint: string, schema: T): T {
  return schema.meta({ embed: hint });
}

/** A JSON column with a known inside: read as one column, not as an embedded relation. */
export function json<T extends z.ZodType>(schema: T): T {
  return schema.meta({ json: true });
}

function selectOf(object: z.ZodObject): string {
  return Object.entries(object.shape)
    .map(([name, field]) => {
      const inner = embedded(field as z.ZodType);
      if (!inner) return name;
      return inner.hint
        ? `${name}:${inner.hint}(${selectOf(inner.object)})`
        : `${name}(${selectOf(inner.object)})`;
    })
    .join(",");
}

type Embedded = { object: z.ZodObject; hint: string | undefined };

/** Looks through optional, nullable, catch, default and array for an object; remembers a hint met on the way. */
function embedded(type: z.ZodType, hint?: string): Embedded | null {
  const meta = type.meta();
  if (meta?.["json"]) return null;
  const own = typeof meta?.["embed"] === "string" ? meta["embed"] : hint;
  if (type instanceof z.ZodObject) return { object: type, hint: own };
  if (type instanceof z.ZodArray) return embedded(type.element as z.ZodType, own);
  if (
    type instanceof z.ZodOptional ||
    type instanceof z.ZodNullable ||
    type instanceof z.ZodCatch ||
    type instanceof z.ZodDefault
  )
    return embedded(type.unwrap() as z.ZodType, own);
  return null;
}
