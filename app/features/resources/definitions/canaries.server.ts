import { canaryFields, CanarySpec, CANARY_SETTINGS, checkKinds } from "#app/contract/specs/checks/index.ts";
import { describe } from "#app/contract/fields.ts";
import { CHECK_TYPES, checkTypeName, nearestCheckType } from "#app/contract/words/check-types.ts";
import type { SpecTable } from "../spec/table.server.ts";
import { isMap, type Json } from "../spec/values.ts";

/** A schedule as the engine reads it; the engine is the judge, this finds what cannot be one. */
const SCHEDULE =
  /^((CRON_)?TZ=\S+ +)?(@every +(\d+(\.\d+)?(ns|us|µs|ms|[smhdwy]))+|@(never|yearly|annually|monthly|weekly|daily|midnight|hourly)|\S+( +\S+){4,5})$/;

/** What a new check of a type begins with. */
const FIRST_SCHEDULE = "@every 1m";

/** Names of types that only older specs have: they are understood, not offered. */
const NOT_OFFERED: ReadonlySet<string> = new Set(["configDB"]);

/** The spec of a canary: its settings, and a list for each type of check. */
export const canarySpecs: SpecTable = {
  settings: describe({
    schedule: canaryFields.schedule,
    severity: canaryFields.severity,
    owner: canaryFields.owner,
  }),
  fieldsOf: (type) => {
    const kind = checkKinds.get(type) ?? checkKinds.get(checkTypeName(type));
    return kind ? describe(kind.fields) : null;
  },
  labelOf: (type) => CHECK_TYPES.get(checkTypeName(type))?.label ?? type,
  types: [...CHECK_TYPES].flatMap(([type, { label, icon, runs }]) =>
    NOT_OFFERED.has(type) ? [] : [{ type, label, icon, runs }],
  ),
  isEntryList: (name, value) => !CANARY_SETTINGS.has(name) && Array.isArray(value),
  begin: (type): Json => ({
    schedule: FIRST_SCHEDULE,
    ...(CHECK_TYPES.has(type) ? { [type]: [type in EXAMPLES ? EXAMPLES[type] : {}] } : {}),
  }),
  problems: (spec) => [
    ...schemaProblems(withoutNulls(spec) as Json),
    ...unknownWords(spec),
    ...wrongSchedule(spec),
    ...nothingToDo(spec),
  ],
};

/** Types that need more than a form shows at first. */
const EXAMPLES: Json = {};

type Problem = { path: PropertyKey[]; message: string };

/**
 * What the tables say. Rules over several fields are asked only of entries whose fields are each right, so what is wrong
 * is put right for a second look: somebody who mends a form should not be sent back twice.
 */
function schemaProblems(spec: Json): Problem[] {
  const first = CanarySpec.safeParse(spec).error?.issues ?? [];
  if (first.length === 0) return [];
  const mended = structuredClone(spec);
  for (const { path } of first) mend(mended, path);
  const known = new Set(first.map(({ path }) => path.join(".")));
  const second = (CanarySpec.safeParse(mended).error?.issues ?? []).filter(
    ({ path }) => !known.has(path.join(".")),
  );
  return [...first, ...second].map((issue) => ({
    path: issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0] ?? ""] : issue.path,
    message: issue.message,
  }));
}

/** A text where nothing is, nothing where something wrong is. */
function mend(spec: Json, path: readonly PropertyKey[]): void {
  const last = path.at(-1);
  let around: unknown = spec;
  for (const part of path.slice(0, -1))
    around =
      typeof around === "object" && around !== null
        ? (around as Record<PropertyKey, unknown>)[part]
        : undefined;
  if (!isMap(around) || typeof last !== "string") return;
  if (around[last] === undefined) around[last] = "x";
  else Reflect.deleteProperty(around, last);
}

function unknownWords(spec: Json) {
  return Object.keys(spec)
    .filter((name) => !CANARY_SETTINGS.has(name) && !CHECK_TYPES.has(checkTypeName(name)))
    .map((name) => {
      const meant = nearestCheckType(name);
      const words = "this is neither a setting nor a type of check";
      return { path: [name], message: meant ? `${words}; is ${meant} meant?` : words };
    });
}

function wrongSchedule({ schedule }: Json) {
  if (typeof schedule !== "string" || schedule === "" || SCHEDULE.test(schedule.trim())) return [];
  const message = "This must be a schedule such as @every 30s, @hourly or cron with five or six fields";
  return [{ path: ["schedule"], message }];
}

/** A canary that watches nothing is a mistake, and one that says what to watch but not when, too. */
function nothingToDo(spec: Json) {
  const names = Object.keys(spec).filter((name) => !CANARY_SETTINGS.has(name));
  if (names.length > 0 || isMap(spec["webhook"])) return [];
  return [{ path: [], message: "There is no check in it yet: add a list such as http" }];
}

/** `icon:` with nothing behind it, as YAML has it, is an absent field. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => (part === null ? [] : [[name, withoutNulls(part)]])),
  );
}
