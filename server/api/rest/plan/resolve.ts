/** `target[!hint]` from an origin to its relationship (facts of PostgREST §7.2), or the reason why there is none. */
import { refuse, type RestError } from "../errors.ts";
import { closestName } from "./fuzzy.ts";
import {
  keyOf,
  type ForeignKeyRelationship,
  type Name,
  type Relationship,
  type Schema,
} from "../schema/schema.ts";

export function resolveRelationship(
  origin: Name,
  target: string,
  hint: string | undefined,
  schema: Schema,
): Relationship {
  const all = schema.relationships.get(keyOf(origin.schema, origin.name)) ?? [];
  const inSchema = all.filter((item) => item.target.schema === origin.schema);
  const found = inSchema.filter((item) => matches(item, target, hint));
  const [first, ...more] = found;
  if (!first) throw none(origin, target, hint, inSchema, schema);
  if (more.length > 0) throw ambiguous(origin, target, found);
  return first;
}

function singleColumn(item: ForeignKeyRelationship, end: 0 | 1): string | null {
  return item.columns.length === 1 ? (item.columns[0]?.[end] ?? null) : null;
}

function matches(item: Relationship, target: string, hint: string | undefined): boolean {
  if (item.kind === "computed") return item.function.name === target;
  const isTarget = item.target.name === target;
  const { cardinality, constraint, targetIsView } = item;
  if (item.isSelf) {
    if (hint !== undefined)
      return isTarget && cardinality === "one-to-many" && singleColumn(item, 1) === hint;
    return (
      (isTarget && cardinality === "one-to-many") ||
      (cardinality === "many-to-one" && singleColumn(item, 0) === target)
    );
  }
  if (hint === undefined)
    return (
      isTarget ||
      (!targetIsView && ((constraint !== "" && constraint === target) || singleColumn(item, 0) === target))
    );
  if (!isTarget) return false;
  const names = [
    constraint || null,
    singleColumn(item, 0),
    singleColumn(item, 1),
    item.junction?.name ?? null,
  ];
  return names.includes(hint);
}

function none(
  origin: Name,
  target: string,
  hint: string | undefined,
  related: Relationship[],
  schema: Schema,
): RestError {
  const between = `'${origin.name}' and '${target}'`;
  const using = hint === undefined ? "" : ` using the hint '${hint}'`;
  return refuse(400, "200", `Could not find a relationship between ${between} in the schema cache`, {
    details: `Searched for a foreign key relationship between ${between}${using} in the schema '${origin.schema}', but no matches were found.`,
    hint: suggestion(origin, target, related, schema),
  });
}

/** A misspelt origin if it relates to nothing, else a misspelt target. */
function suggestion(origin: Name, target: string, related: Relationship[], schema: Schema): string | null {
  const origins = [...schema.relationships.keys()]
    .map((key) => key.split("\0"))
    .filter(([name]) => name === origin.schema)
    .map(([, name]) => name ?? "");
  if (related.length === 0) {
    const closest = closestName(origin.name, origins);
    return closest === null ? null : `Perhaps you meant '${closest}' instead of '${origin.name}'.`;
  }
  const targets = related.map((item) => (item.kind === "computed" ? item.function.name : item.target.name));
  if (targets.includes(target)) return null;
  const closest = closestName(target, targets);
  return closest === null ? null : `Perhaps you meant '${closest}' instead of '${target}'.`;
}

const listed = (columns: string[]) => `(${columns.join(", ")})`;

function describe(item: Relationship): { cardinality: string; embedding: string; relationship: string } {
  const embedding = `${item.origin.name} with ${item.target.name}`;
  if (item.kind === "computed") return { cardinality: "", embedding, relationship: item.function.name };
  const { cardinality, junction } = item;
  if (junction) {
    const [one, other] = junction.constraints;
    const columns = (pairs: [string, string][]) => listed(pairs.map(([, column]) => column));
    const relationship = `${junction.name} using ${one}${columns(junction.origin)} and ${other}${columns(junction.target)}`;
    return { cardinality, embedding, relationship };
  }
  const [local, foreign] = [item.columns.map(([column]) => column), item.columns.map(([, column]) => column)];
  const relationship = `${item.constraint} using ${item.origin.name}${listed(local)} and ${item.target.name}${listed(foreign)}`;
  return { cardinality, embedding, relationship };
}

function ambiguous(origin: Name, target: string, found: Relationship[]): RestError {
  const choices = found.map((item) => {
    const name = item.kind === "key" ? (item.junction?.name ?? item.constraint) : item.function.name;
    return `'${item.target.name}!${name}'`;
  });
  return refuse(
    300,
    "201",
    `Could not embed because more than one relationship was found for '${origin.name}' and '${target}'`,
    {
      details: found.map(describe),
      hint: `Try changing '${target}' to one of the following: ${choices.join(", ")}. Find the desired relationship in the 'details' key.`,
    },
  );
}
