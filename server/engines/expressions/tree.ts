/** The tree of an expression, and how parts of it are made. */
import type { parse } from "@bufbuild/cel";

export type Expr = NonNullable<ReturnType<typeof parse>["expr"]>;
export type Comprehension = Extract<Expr["exprKind"], { case: "comprehensionExpr" }>["value"];
export type Call = Extract<Expr["exprKind"], { case: "callExpr" }>["value"];

const node = (exprKind: Expr["exprKind"]): Expr => ({ $typeName: "cel.expr.Expr", id: 0n, exprKind });
export const ident = (name: string) =>
  node({ case: "identExpr", value: { $typeName: "cel.expr.Expr.Ident", name } });
export const text = (value: string) =>
  node({
    case: "constExpr",
    value: { $typeName: "cel.expr.Constant", constantKind: { case: "stringValue", value } },
  });
const bool = (value: boolean) =>
  node({
    case: "constExpr",
    value: { $typeName: "cel.expr.Constant", constantKind: { case: "boolValue", value } },
  });
const TRUE = bool(true);
const ONE = node({
  case: "constExpr",
  value: { $typeName: "cel.expr.Constant", constantKind: { case: "int64Value", value: 1n } },
});
const list = (...elements: Expr[]) =>
  node({ case: "listExpr", value: { $typeName: "cel.expr.Expr.CreateList", elements, optionalIndices: [] } });
export const call = (name: string, ...args: Expr[]) =>
  node({ case: "callExpr", value: { $typeName: "cel.expr.Expr.Call", function: name, args } });
/** `target.name(args)`. */
export const methodCall = (name: string, target: Expr, ...args: Expr[]) =>
  node({ case: "callExpr", value: { $typeName: "cel.expr.Expr.Call", function: name, target, args } });
const loop = (value: Omit<Comprehension, "$typeName" | "iterVar2">) =>
  node({
    case: "comprehensionExpr",
    value: { $typeName: "cel.expr.Expr.Comprehension", iterVar2: "", ...value },
  });

/** A loop of no turns: the way to give a value a name. */
export const bind = (name: string, value: Expr, result: Expr) =>
  loop({
    iterVar: "@unused",
    iterRange: list(),
    accuVar: name,
    accuInit: value,
    loopCondition: ident(name),
    loopStep: ident(name),
    result,
  });

export const sortedBy = (target: Expr, variable: string, key: Expr) =>
  bind(
    "@sorted",
    target,
    call(
      "@sortBy",
      ident("@sorted"),
      loop({
        iterVar: variable,
        iterRange: ident("@sorted"),
        accuVar: "@keys",
        accuInit: call("@collect"),
        loopCondition: TRUE,
        loopStep: call("@push", ident("@keys"), key),
        result: ident("@keys"),
      }),
    ),
  );

/** The macros that give every turn a key (of a list the number) and a value, and how many arguments follow those names. */
export const PAIR_MACROS: ReadonlyMap<string, readonly number[]> = new Map([
  ["all", [1]],
  ["exists", [1]],
  ["existsOne", [1]],
  ["exists_one", [1]],
  ["transformList", [1, 2]],
  ["transformMap", [1, 2]],
  ["transformMapEntry", [1, 2]],
]);

/** `target.name(key, value, …)` for one of the PAIR_MACROS; with two arguments the first is a filter. */
export function pairMacro(name: string, target: Expr, [key, value]: [string, string], args: Expr[]): Expr {
  const [pair, made] = [ident("@pair"), ident("@made")];
  const named = (expr: Expr) => bind(key, call("@key", pair), bind(value, call("@item", pair), expr));
  const turns = (accuInit: Expr, loopCondition: Expr, loopStep: Expr, result: Expr) =>
    loop({
      iterVar: "@pair",
      iterRange: call("@pairs", target),
      accuVar: "@made",
      accuInit,
      loopCondition,
      loopStep,
      result,
    });
  const [first, second] = args as [Expr, Expr | undefined];
  if (name === "all")
    return turns(TRUE, call("@not_strictly_false", made), call("_&&_", made, named(first)), made);
  if (name === "exists")
    return turns(
      bool(false),
      call("@not_strictly_false", call("!_", made)),
      call("_||_", made, named(first)),
      made,
    );
  const collected = (kept: Expr, filter: Expr | undefined, result: Expr) => {
    const push = call("@push", made, kept);
    return turns(call("@collect"), TRUE, named(filter ? call("_?_:_", filter, push, made) : push), result);
  };
  if (name === "existsOne" || name === "exists_one")
    return collected(TRUE, first, call("_==_", call("size", made), ONE));
  const [kept, filter] = second ? [second, first] : [first, undefined];
  if (name === "transformList") return collected(kept, filter, made);
  return name === "transformMap"
    ? collected(list(ident(key), kept), filter, call("@mapOf", made))
    : collected(kept, filter, call("@together", made));
}
