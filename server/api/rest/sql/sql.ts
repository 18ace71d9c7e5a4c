/** Safe SQL text: quoted names, parameters, and the fixed words that a request may choose between. */
import type { FtsOperator, Trilean } from "../parse/ast.ts";
import { RestError } from "../errors.ts";

/** A NUL cuts a text: PostgreSQL cannot hold one. */
function cut(text: string): string {
  const at = text.indexOf("\0");
  return at < 0 ? text : text.slice(0, at);
}

export function ident(name: string): string {
  return `"${cut(name).replaceAll('"', '""')}"`;
}

export function qualified({ schema, name }: { schema: string; name: string }): string {
  return `${ident(schema)}.${ident(name)}`;
}

/** The values of one statement; PostgreSQL infers their types. */
export class Parameters {
  readonly values: (string | null)[] = [];

  add(value: string): string {
    this.values.push(cut(value));
    return `$${this.values.length}`;
  }
}

/** The elements as one array text. */
export function arrayLiteral(values: string[]): string {
  return `{${values.map((value) => `"${cut(value).replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

/** A type name in a cast: words only, as the grammar has them; whatever else is no type. */
export function typeName(name: string): string {
  if (/^[\p{L}_][\p{L}\p{N}_]*( [\p{L}_][\p{L}\p{N}_]*)*$/u.test(name)) return name;
  throw new RestError({ status: 400, code: "42704", message: `type "${name}" does not exist` });
}

const OPERATORS = new Map([
  ["eq", "="],
  ["neq", "<>"],
  ["gt", ">"],
  ["gte", ">="],
  ["lt", "<"],
  ["lte", "<="],
  ["like", "LIKE"],
  ["ilike", "ILIKE"],
  ["match", "~"],
  ["imatch", "~*"],
  ["cs", "@>"],
  ["cd", "<@"],
  ["ov", "&&"],
  ["sl", "<<"],
  ["sr", ">>"],
  ["nxr", "&<"],
  ["nxl", "&>"],
  ["adj", "-|-"],
]);

export function operatorSql(name: string): string {
  const operator = OPERATORS.get(name);
  if (operator === undefined) throw new Error(`no operator ${name}`);
  return operator;
}

export const FTS_SQL: Record<FtsOperator, string> = {
  fts: "to_tsquery",
  plfts: "plainto_tsquery",
  phfts: "phraseto_tsquery",
  wfts: "websearch_to_tsquery",
};

export const TRILEAN_SQL: Record<Trilean, string> = {
  null: "NULL",
  true: "TRUE",
  false: "FALSE",
  unknown: "UNKNOWN",
};
