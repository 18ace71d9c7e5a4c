/** What a request asks, as data: the output of the parsers. It knows the grammar and no schema. */

/** One step of a JSON path; an index step counts array elements. */
export interface JsonStep {
  arrow: "->" | "->>";
  key: string;
  isIndex: boolean;
}

export interface Field {
  name: string;
  path: JsonStep[];
}

export const AGGREGATES = ["sum", "avg", "count", "max", "min"] as const;
export type Aggregate = (typeof AGGREGATES)[number];

export interface FieldItem {
  kind: "field";
  field: Field;
  alias?: string;
  cast?: string;
  aggregate?: Aggregate;
  aggregateCast?: string;
}

export interface EmbedItem {
  kind: "embed";
  name: string;
  alias?: string;
  hint?: string;
  join?: "inner" | "left";
  isSpread: boolean;
  select: SelectItem[];
}

/** `*` is a field of that name. */
export type SelectItem = FieldItem | EmbedItem;

export type Quantifier = "any" | "all";
export type FtsOperator = "fts" | "plfts" | "phfts" | "wfts";
export type Trilean = "null" | "true" | "false" | "unknown";

export type Operation =
  | { kind: "simple"; operator: string; value: string; quantifier?: Quantifier }
  | { kind: "in"; values: string[] }
  | { kind: "is"; value: Trilean }
  | { kind: "isdistinct"; value: string }
  | { kind: "fts"; operator: FtsOperator; language?: string; value: string };

export interface Filter {
  kind: "filter";
  field: Field;
  isNegated: boolean;
  operation: Operation;
}

export interface LogicGroup {
  kind: "group";
  isNegated: boolean;
  operator: "and" | "or";
  items: Logic[];
}

export type Logic = Filter | LogicGroup;

export interface OrderTerm {
  /** A to-one embed whose column orders the parent. */
  relation?: string;
  field: Field;
  direction?: "asc" | "desc";
  nulls?: "first" | "last";
}

/** Something addressed to an embed: the path from the root, empty for the root itself. */
export interface At<T> {
  path: string[];
  value: T;
}

export interface RestQuery {
  select: SelectItem[];
  logic: At<Logic>[];
  orders: At<OrderTerm[]>[];
  /** Null when the text was no whole number: "no limit". */
  limits: At<number | null>[];
  offsets: At<number | null>[];
  columns?: string[];
  onConflict?: string[];
  /** Keys of a GET call whose value is no operator expression: the function's arguments. */
  parameters: [string, string][];
  /** Sorted and percent-encoded, for Content-Location. */
  canonical: string;
}
