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
const TRUE = node({
  case: "constExpr",
  value: { $typeName: "cel.expr.Constant", constantKind: { case: "boolValue", value: true } },
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
