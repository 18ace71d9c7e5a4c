/** What is known about the database: the result of introspection, looked up by the planner. Maps, as names are typed by strangers. */
export interface Column {
  name: string;
  /** The type as SQL text, schema-qualified. */
  type: string;
  isJson: boolean;
  /** SQL text of the default; null for none. */
  default: string | null;
}

export interface Relation {
  schema: string;
  name: string;
  isView: boolean;
  columns: Map<string, Column>;
  primaryKey: string[];
  insertable: boolean;
  updatable: boolean;
  deletable: boolean;
}

export type Cardinality = "one-to-many" | "many-to-one" | "one-to-one" | "many-to-many";

export interface Name {
  schema: string;
  name: string;
}

export interface Junction extends Name {
  /** Constraints to the origin and to the target. */
  constraints: [string, string];
  /** Pairs: column of the origin (or target), column of the junction. */
  origin: [string, string][];
  target: [string, string][];
}

export interface ForeignKeyRelationship {
  kind: "key";
  origin: Name;
  target: Name;
  targetIsView: boolean;
  isSelf: boolean;
  cardinality: Cardinality;
  /** Empty for many-to-many, whose constraints are the junction's. */
  constraint: string;
  /** Pairs: column of the origin, column of the target. */
  columns: [string, string][];
  junction?: Junction;
}

export interface ComputedRelationship {
  kind: "computed";
  origin: Name;
  target: Name;
  isSelf: boolean;
  function: Name;
  isToOne: boolean;
}

export type Relationship = ForeignKeyRelationship | ComputedRelationship;

export interface Parameter {
  name: string;
  type: string;
  isJson: boolean;
  isRequired: boolean;
  isVariadic: boolean;
}

export interface Routine extends Name {
  parameters: Parameter[];
  /** Its only parameter has no name: the whole body. */
  isUnnamed: boolean;
  volatility: "volatile" | "stable" | "immutable";
  returnsSet: boolean;
  returns: "void" | "scalar" | "row";
  /** The relation whose rows it returns: where its embeds start. */
  relation: Name | null;
  /** `SET statement_timeout = …` and the like of its definition that must be set before it is called. */
  settings: [string, string][];
  isolation: string | null;
}

export interface RoleSettings {
  /** ALTER ROLE … SET, in the order of their names. */
  settings: [string, string][];
  isolation: string | null;
}

export interface Schema {
  relations: Map<string, Relation>;
  /** By origin: every relationship of one relation. */
  relationships: Map<string, Relationship[]>;
  routines: Map<string, Routine[]>;
  roles: Map<string, RoleSettings>;
}

/** The key of these maps. A NUL cannot be part of a name. */
export function keyOf(schema: string, name: string): string {
  return `${schema}\0${name}`;
}
