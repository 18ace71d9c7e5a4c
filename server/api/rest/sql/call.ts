/** Functions: choosing the overload by the names of its arguments, and calling it (facts of PostgREST §14). */
import { refuse, type RestError } from "../errors.ts";
import { closestName } from "../plan/fuzzy.ts";
import type { Payload } from "../parse/body.ts";
import { keyOf, type Name, type Parameter, type Routine, type Schema } from "../schema/schema.ts";
import { arrayLiteral, ident, type Parameters, qualified } from "./sql.ts";
import { VALUE } from "./result.ts";

/** How the arguments came: by name in the query, by name in a JSON body, or a body without names. */
export type Arguments =
  | { kind: "query"; values: [string, string][] }
  | { kind: "json"; payload: Extract<Payload, { kind: "json" }>; names: string[] }
  | { kind: "raw"; payload: Extract<Payload, { kind: "raw" }> };

export interface Call {
  routine: Routine;
  /** The whole body is the only parameter. */
  isWhole: boolean;
}

export function chooseRoutine(target: Name, call: Arguments, isSingleObject: boolean, schema: Schema): Call {
  const overloads = schema.routines.get(keyOf(target.schema, target.name)) ?? [];
  const names = namesOf(call);
  const isJsonBody = call.kind === "json";
  const fits = isSingleObject || call.kind === "raw" ? [] : overloads.filter((one) => fitsNames(one, names));
  const [routine, ...more] = fits;
  if (routine && more.length === 0) return { routine, isWhole: false };
  if (more.length > 0) throw unclear(target, fits);
  const wanted = call.kind === "raw" ? [call.payload.type] : isJsonBody ? ["json", "jsonb"] : [];
  const whole = overloads.filter(
    (one) =>
      one.parameters.length === 1 &&
      (one.isUnnamed || isSingleObject) &&
      wanted.includes(one.parameters[0]?.type as "text"),
  );
  const [only, ...others] = whole;
  if (!only) throw notFound(target, call, isSingleObject, schema);
  if (others.length > 0) throw unclear(target, whole);
  return { routine: only, isWhole: true };
}

function namesOf(call: Arguments): string[] {
  if (call.kind === "raw") return [];
  const names = call.kind === "query" ? call.values.map(([name]) => name) : call.names;
  return [...new Set(names)].sort();
}

function fitsNames(routine: Routine, names: string[]): boolean {
  if (routine.isUnnamed) return false;
  const known = routine.parameters.map(({ name }) => name);
  return (
    names.every((name) => known.includes(name)) &&
    routine.parameters.every(({ name, isRequired }) => !isRequired || names.includes(name))
  );
}

function unclear({ schema, name }: Name, found: Routine[]): RestError {
  const shown = found.map(
    (one) => `${schema}.${name}(${one.parameters.map((p) => `${p.name} => ${p.type}`).join(", ")})`,
  );
  return refuse(300, "203", `Could not choose the best candidate function between: ${shown.join(", ")}`, {
    hint: "Try renaming the parameters or the function itself in the database so function overloading can be resolved",
  });
}

function notFound(target: Name, call: Arguments, isSingleObject: boolean, schema: Schema): RestError {
  const full = `${target.schema}.${target.name}`;
  const names = namesOf(call);
  const byName = call.kind !== "raw" && !isSingleObject;
  const listed =
    names.length === 0
      ? " without parameters"
      : ` with parameter${names.length > 1 ? "s" : ""} ${names.join(", ")}`;
  const whole =
    call.kind === "raw"
      ? ` with a single unnamed ${call.payload.type} parameter`
      : isSingleObject
        ? " with a single json/jsonb parameter"
        : call.kind === "json"
          ? " or with a single unnamed json/jsonb parameter"
          : "";
  const shown = !byName
    ? full
    : names.length === 0
      ? `${full} without parameters`
      : `${full}(${names.join(", ")})`;
  return refuse(404, "202", `Could not find the function ${shown} in the schema cache`, {
    details: `Searched for the function ${full}${byName ? listed : ""}${whole}, but no matches were found in the schema cache.`,
    hint: byName ? suggestion(target, names, schema) : null,
  });
}

/** Another overload by its parameters, else a function of a similar name. */
function suggestion({ schema, name }: Name, names: string[], known: Schema): string | null {
  const overloads = known.routines.get(keyOf(schema, name)) ?? [];
  if (overloads.length > 0) {
    const signature = (list: string[]) => `(${[...list].sort().join(", ")})`;
    const signatures = overloads.map((one) => signature(one.parameters.map((parameter) => parameter.name)));
    const closest = closestName(signature(names), signatures);
    return closest === null ? null : `Perhaps you meant to call the function ${schema}.${name}${closest}`;
  }
  const all = [...known.routines.keys()].map((key) => key.split("\0"));
  const closest = closestName(
    name,
    all.filter(([own]) => own === schema).map(([, other]) => other ?? ""),
  );
  return closest === null ? null : `Perhaps you meant to call the function ${schema}.${closest}`;
}

/** The call as rows of `pgrst_call`: `columns` are those the answer needs. Plain values come in one column. */
export function callSql(call: Call, given: Arguments, columns: string, parameters: Parameters): string {
  const { routine, isWhole } = call;
  const name = qualified(routine);
  const [body, list] = isWhole
    ? ["", wholeArgument(routine, given, parameters)]
    : namedArguments(routine, given, parameters);
  const from = body === "" ? "" : `${body}, LATERAL `;
  if (routine.returns === "row") return `SELECT ${columns} FROM ${from}${name}(${list}) AS pgrst_call`;
  const value = `SELECT ${name}(${list}) AS ${ident(VALUE)}${body === "" ? "" : ` FROM ${body}`}`;
  return `SELECT pgrst_call.${ident(VALUE)} FROM (${value}) AS pgrst_call`;
}

function wholeArgument(routine: Routine, given: Arguments, parameters: Parameters): string {
  if (given.kind === "query") return "";
  const type = routine.parameters[0]?.type ?? "text";
  const name = routine.isUnnamed ? "" : `${ident(routine.parameters[0]?.name ?? "")} := `;
  if (type === "bytea") return `${name}convert_to(${parameters.add(given.payload.text)}::text, 'UTF8')`;
  return `${name}${parameters.add(given.payload.text)}::${type}`;
}

function namedArguments(routine: Routine, given: Arguments, parameters: Parameters): [string, string] {
  if (given.kind === "query") return ["", queryArguments(routine, given.values, parameters)];
  if (given.kind === "raw") return ["", ""];
  const used = routine.parameters.filter(({ name }) => given.names.includes(name));
  if (used.length === 0) return ["", ""];
  const { payload } = given;
  const names = used.map(({ name }) => ident(name)).join(", ");
  const typed = used.map(({ name, type }) => `${ident(name)} ${type}`).join(", ");
  const rows = payload.isArray ? "json_to_recordset" : "json_to_record";
  const body = `(SELECT ${names} FROM ${rows}(${parameters.add(payload.text)}::json) AS pgrst_row(${typed}) LIMIT 1) AS pgrst_body`;
  return [body, used.map((one) => `${prefix(one)}pgrst_body.${ident(one.name)}`).join(", ")];
}

function prefix({ name, isVariadic }: Parameter): string {
  return `${isVariadic ? "VARIADIC " : ""}${ident(name)} := `;
}

/** A text per argument; a JSON parameter takes it as a JSON string, as if it had come in a body. */
function queryArguments(routine: Routine, values: [string, string][], parameters: Parameters): string {
  const list: string[] = [];
  for (const one of routine.parameters) {
    const own = values.filter(([name]) => name === one.name).map(([, value]) => value);
    const last = own.at(-1);
    if (last === undefined) continue;
    const text = parameters.add(one.isVariadic ? arrayLiteral(own) : last);
    list.push(`${prefix(one)}${one.isJson ? `to_json(${text}::text)::${one.type}` : `${text}::${one.type}`}`);
  }
  return list.join(", ");
}
