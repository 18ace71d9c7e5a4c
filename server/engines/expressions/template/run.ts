/** Runs the tree of a Go template. Its values are those of CEL, so that both languages share their functions. */
import { celMap, isCelList, isCelMap, type CelInput, type CelValue } from "@bufbuild/cel";
import { builtins, isTrue } from "./builtins.ts";
import { entriesOf, goText, type Value } from "./format.ts";
import { failAt, TemplateError } from "./lex.ts";
import { findFunction } from "./library.ts";
import { methodOf } from "./methods.ts";
import type { Branch, Command, Node, Operand, Pipe, Template } from "./parse.ts";

export interface Run {
  variables: Readonly<Record<string, CelInput>>;
  /** A value that is not there is an error: for what is sent or run, where `<no value>` would pass unseen. */
  strict?: boolean;
  /** A bare name is a value before it is a function, as in `$(username)`. */
  bare?: boolean;
}

/** Longest text a template may come to, in characters. */
export const OUTPUT_LIMIT = 1_000_000;
/** Templates inside of templates. */
const CALLS_LIMIT = 100;

type Scope = { name: string; value: Value }[];
type Ended = "break" | "continue" | undefined;

/** The text of the template; throws a TemplateError with its place. */
export function runTemplate(template: Template, { variables, strict = false, bare = false }: Run): string {
  const root = celMap(new Map(Object.entries(variables))) as CelValue;
  const parts: string[] = [];
  let length = 0;
  let calls = 0;

  const fail = (at: number, error: unknown): never => {
    if (error instanceof TemplateError || error instanceof RangeError) throw error;
    return failAt(template.source, at, error instanceof Error ? error.message : String(error));
  };
  function write(text: string): void {
    length += text.length;
    if (length > OUTPUT_LIMIT) throw new TemplateError(`it came to more than ${OUTPUT_LIMIT} characters`);
    parts.push(text);
  }

  function walk(nodes: readonly Node[], dot: Value, scope: Scope): Ended {
    const mine = [...scope]; // what a block declares ends with it; what it sets stays
    for (const node of nodes) {
      const ended = step(node, dot, mine);
      if (ended) return ended;
    }
    return undefined;
  }

  function step(node: Node, dot: Value, scope: Scope): Ended {
    switch (node.kind) {
      case "text":
        write(node.text);
        return undefined;
      case "print":
        print(node.pipe, dot, scope);
        return undefined;
      case "break":
      case "continue":
        return node.kind;
      case "template":
        callTemplate(node, dot, scope);
        return undefined;
      case "range":
        return range(node, dot, scope);
      default: {
        const inner = [...scope];
        const value = evaluate(node.pipe, dot, inner);
        if (!isTrue(value)) return walk(node.otherwise, dot, inner);
        return walk(node.body, node.kind === "with" ? value : dot, inner);
      }
    }
  }

  function print(pipe: Pipe, dot: Value, scope: Scope): void {
    const value = evaluate(pipe, dot, scope);
    if (pipe.variables.length > 0) return;
    if (value !== undefined && value !== null) return write(goText(value));
    if (strict)
      failAt(
        template.source,
        pipe.at,
        `there is no value for ${template.source.slice(pipe.at).match(/^[^\s|)}]+/)?.[0] ?? "it"}`,
      );
    write("<no value>");
  }

  function callTemplate(
    { name, pipe, at }: Extract<Node, { kind: "template" }>,
    dot: Value,
    scope: Scope,
  ): void {
    const body = template.named.get(name);
    if (!body) return fail(at, new Error(`there is no template ${JSON.stringify(name)}`));
    if (++calls > CALLS_LIMIT) fail(at, new Error("templates call each other too deeply"));
    const given = pipe ? evaluate(pipe, dot, scope) : undefined;
    walk(body, given, [{ name: "$", value: given }]);
    calls -= 1;
  }

  function range(node: Branch, dot: Value, scope: Scope): Ended {
    const { variables: names, declares, commands, at } = node.pipe;
    const over = evaluate({ ...node.pipe, variables: [], commands }, dot, scope);
    const items = itemsOf(over, at);
    if (items.length === 0) return walk(node.otherwise, dot, scope);
    for (const [key, value] of items) {
      const inner = declares ? [...scope] : scope;
      const [first, second] = names;
      const pairs: [string | undefined, Value][] = second
        ? [
            [first, key],
            [second, value],
          ]
        : [[first, value]];
      for (const [name, given] of pairs) if (name) assign(name, given, declares, inner, at);
      if (walk(node.body, value, inner) === "break") break;
    }
    return undefined;
  }

  function itemsOf(over: Value, at: number): [CelValue, CelValue][] {
    if (over === undefined || over === null) return [];
    if (isCelList(over)) return Array.from(over, (item, index) => [BigInt(index), item as CelValue]);
    if (isCelMap(over)) return entriesOf(over);
    if (typeof over === "bigint" && over <= 1_000_000n)
      return Array.from({ length: Math.max(0, Number(over)) }, (_, index) => [BigInt(index), BigInt(index)]);
    return fail(at, new Error(`range cannot go over ${goText(over).slice(0, 50)}`));
  }

  function assign(name: string, value: Value, declares: boolean, scope: Scope, at: number): void {
    if (declares) return void scope.push({ name, value });
    const held = scope.findLast((entry) => entry.name === name);
    if (!held) return fail(at, new Error(`undefined variable ${name}`));
    held.value = value;
  }

  function evaluate(pipe: Pipe, dot: Value, scope: Scope): Value {
    let value: Value;
    for (const [index, command] of pipe.commands.entries())
      value = run(command, dot, scope, index === 0 ? [] : [value]);
    for (const name of pipe.variables) assign(name, value, pipe.declares, scope, pipe.at);
    return value;
  }

  function run({ operands: [first, ...rest] }: Command, dot: Value, scope: Scope, piped: Value[]): Value {
    const argument = (operand: Operand) => valueOf(operand, dot, scope, []);
    try {
      if (first.kind === "name" && (first.name === "and" || first.name === "or") && first.path.length === 0)
        return either(first.name, [
          ...rest.map((operand) => () => argument(operand)),
          ...piped.map((value) => () => value),
        ]);
      return valueOf(first, dot, scope, [...rest.map(argument), ...piped], rest.length + piped.length > 0);
    } catch (error) {
      return fail(first.at, error);
    }
  }

  function valueOf(operand: Operand, dot: Value, scope: Scope, given: Value[], called = false): Value {
    const { kind, path, at } = operand;
    if (kind === "name") return named(operand, given, called);
    let base: Value = dot;
    if (kind === "literal") base = operand.value as CelValue;
    if (kind === "nil") return fail(at, new Error("nil is not a command"));
    if (kind === "pipe") base = evaluate(operand.pipe!, dot, scope);
    if (kind === "variable") {
      const held = scope.findLast(({ name }) => name === operand.name);
      if (!held) return fail(at, new Error(`undefined variable ${operand.name}`));
      base = held.value;
    }
    if (path.length > 0) return follow(base, path, given);
    if (called) return fail(at, new Error("only functions take arguments"));
    return base;
  }

  /** A function, by the longest name there is, and then what its result holds; or a bare value. */
  function named({ name = "", path, at }: Operand, given: Value[], called: boolean): Value {
    const isValue = Object.hasOwn(variables, name);
    if (isValue && !called && (bare || !findFunction(name))) return follow((root as Map).get(name), path, []);
    for (let length = path.length; length >= 0; length--) {
      const whole = [name, ...path.slice(0, length)].join(".");
      const found = builtins[whole] ?? findFunction(whole);
      if (!found) continue;
      const rest = path.slice(length);
      if (rest.length === 0) return found(given, variables);
      return follow(found([], variables), rest, given);
    }
    const known = [name, ...path].join(".");
    return fail(
      at,
      new Error(bare && !called ? `there is no value for ${known}` : `unknown function ${known}`),
    );
  }

  function follow(base: Value, path: readonly string[], given: Value[]): Value {
    let value = base;
    path.forEach((field, index) => {
      const last = index === path.length - 1;
      if (value === undefined || value === null) {
        if (index === 0) throw new Error(`there is no value, so it has no ${field}`);
        throw new Error(`${path[index - 1]} has no value, so it has no ${field}`);
      }
      if (isCelMap(value)) {
        if (last && given.length > 0) throw new Error(`${field} is no function`);
        value = value.get(field) as Value;
      } else value = methodOf(value, field)(last ? given : []);
    });
    return value;
  }

  walk(template.body, root, [{ name: "$", value: root }]);
  return parts.join("");
}

type Map = { get(key: string): Value };

/** The first that decides it, without looking at what follows. */
function either(name: "and" | "or", values: (() => Value)[]): Value {
  if (values.length === 0) throw new Error(`${name} needs an argument`);
  let value: Value;
  for (const next of values) {
    value = next();
    if (isTrue(value) === (name === "or")) break;
  }
  return value;
}
