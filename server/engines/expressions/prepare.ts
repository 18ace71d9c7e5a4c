/**
 * From text to what the CEL library plans. The library knows neither optional values nor the macros beyond the standard
 * ones: they are written as calls it can parse, and its tree is rewritten here. Names are resolved before anything runs.
 */
import { parse } from "@bufbuild/cel";
import {
  bind,
  call,
  ident,
  PAIR_MACROS,
  pairMacro,
  sortedBy,
  text,
  type Call,
  type Comprehension,
  type Expr,
} from "./tree.ts";

export interface Prepared {
  expr: Expr;
  /** The names the environment has to have. */
  names: ReadonlySet<string>;
}

/** What `.?field` and `[?index]` become before parsing. */
const MARK = "__optional__";
/** The variable behind `last_result()`. */
export const LAST_RESULT = "@last_result";

/** Parses and rewrites; throws a sentence. `known` says whether there is a function of that name. */
export function prepare(text: string, known: (name: string) => boolean): Prepared {
  const names = new Set<string>();
  const parsed = parse(markOptionals(text));
  if (!parsed.expr) throw new Error("the expression is empty");
  const expr = rewriter(known, names)(parsed.expr, new Set()).expr;
  return { expr, names };
}

const STRINGS =
  /(?:[rR][bB]?|[bB][rR])(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n]*"|'[^'\n]*')|[bB]?(?:"""(?:\\[\s\S]|[^\\])*?"""|'''(?:\\[\s\S]|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/;
const TOKENS = new RegExp(`//[^\\n]*|${STRINGS.source}|\\.\\?(?=[A-Za-z_])|\\[\\?|[[\\]]`, "g");

function markOptionals(text: string): string {
  if (!/[.[]\?/.test(text)) return text;
  const open: boolean[] = [];
  return text.replace(TOKENS, (token) => {
    if (token === ".?") return `.${MARK}`;
    if (token === "[" || token === "[?") {
      open.push(token === "[?");
      return token === "[?" ? `[${MARK}(` : token;
    }
    if (token === "]") return open.pop() ? ")]" : token;
    return token;
  });
}

interface Rewritten {
  expr: Expr;
  /** It is an optional value, and so is what is selected from it. */
  optional: boolean;
}
type Scope = ReadonlySet<string>;

function rewriter(known: (name: string) => boolean, names: Set<string>) {
  let bound = 0;

  function rewrite(expr: Expr, scope: Scope): Rewritten {
    const kind = expr.exprKind;
    const plain = (value: Expr["exprKind"]): Rewritten => ({
      expr: { ...expr, exprKind: value },
      optional: false,
    });
    switch (kind.case) {
      case "identExpr":
        if (!scope.has(kind.value.name)) names.add(kind.value.name);
        return { expr, optional: false };
      case "selectExpr": {
        const operand = rewrite(kind.value.operand!, scope);
        const marked = kind.value.field.startsWith(MARK);
        if (!marked && !operand.optional)
          return plain({ ...kind, value: { ...kind.value, operand: operand.expr } });
        const step = call("@step", operand.expr, text(kind.value.field.replace(MARK, "")));
        return kind.value.testOnly
          ? { expr: call("@has", step), optional: false }
          : { expr: step, optional: true };
      }
      case "callExpr":
        return rewriteCall(expr, kind.value, scope);
      case "listExpr":
        return plain({
          ...kind,
          value: {
            ...kind.value,
            elements: kind.value.elements.map((element) => rewrite(element, scope).expr),
          },
        });
      case "structExpr":
        return plain({
          ...kind,
          value: {
            ...kind.value,
            entries: kind.value.entries.map((entry) => ({
              ...entry,
              keyKind:
                entry.keyKind.case === "mapKey"
                  ? { case: "mapKey", value: rewrite(entry.keyKind.value, scope).expr }
                  : entry.keyKind,
              value: entry.value && rewrite(entry.value, scope).expr,
            })),
          },
        });
      case "comprehensionExpr":
        return plain({ case: "comprehensionExpr", value: rewriteLoop(kind.value, scope) });
      default:
        return { expr, optional: false };
    }
  }

  function rewriteCall(expr: Expr, value: Call, scope: Scope): Rewritten {
    const { function: name, target, args } = value;
    const [first, second, third] = args;
    if (name === "_[_]" && first && second) {
      const from = rewrite(first, scope);
      const marked = second.exprKind.case === "callExpr" && second.exprKind.value.function === MARK;
      const key = rewrite(marked ? (second.exprKind.value as Call).args[0]! : second, scope).expr;
      if (marked || from.optional) return { expr: call("@step", from.expr, key), optional: true };
      return { expr: call(name, from.expr, key), optional: false };
    }
    if (name === "last_result" && !target && args.length === 0) return rewrite(ident(LAST_RESULT), scope);
    if (target && first && args.length === 1 && (name === "orValue" || name === "or"))
      return either(rewrite(target, scope).expr, rewrite(first, scope), name === "or");
    if (target && first && second && first.exprKind.case === "identExpr") {
      const variable = first.exprKind.value.name;
      const inner = () => rewrite(second, new Set([...scope, variable])).expr;
      if (second.exprKind.case === "identExpr" && PAIR_MACROS.get(name)?.includes(args.length - 2)) {
        const names: [string, string] = [variable, second.exprKind.value.name];
        const inside = new Set([...scope, ...names]);
        const rest = args.slice(2).map((arg) => rewrite(arg, inside).expr);
        return { expr: pairMacro(name, rewrite(target, scope).expr, names, rest), optional: false };
      }
      if (name === "optMap" || name === "optFlatMap")
        return mapped(rewrite(target, scope).expr, variable, inner(), name === "optMap");
      if (name === "sortBy")
        return { expr: sortedBy(rewrite(target, scope).expr, variable, inner()), optional: false };
      if (name === "bind" && third && qualifiedName(target) === "cel")
        return {
          expr: bind(
            variable,
            rewrite(second, scope).expr,
            rewrite(third, new Set([...scope, variable])).expr,
          ),
          optional: false,
        };
    }
    const space = target && qualifiedName(target);
    const whole = space !== undefined && known(`${space}.${name}`) ? `${space}.${name}` : null;
    if (!whole && !known(name))
      throw new Error(`unknown function ${space && !scope.has(space) ? `${space}.` : ""}${name}`);
    const rewritten = {
      ...value,
      target: target && !whole ? rewrite(target, scope).expr : target,
      args: args.map((arg) => rewrite(arg, scope).expr),
    };
    const optional = whole?.startsWith("optional.") ?? false;
    return { expr: { ...expr, exprKind: { case: "callExpr", value: rewritten } }, optional };
  }

  /** `a.orValue(b)` and `a.or(b)`: b is looked at only when a is not there. */
  function either(target: Expr, other: Rewritten, keep: boolean): Rewritten {
    const name = `@${++bound}`;
    const there = keep ? ident(name) : call("@value", ident(name));
    return {
      expr: bind(name, target, call("_?_:_", call("@has", ident(name)), there, other.expr)),
      optional: keep,
    };
  }

  function mapped(target: Expr, variable: string, inner: Expr, wrap: boolean): Rewritten {
    const name = `@${++bound}`;
    const value = bind(variable, call("@value", ident(name)), inner);
    const there = wrap ? call("optional.of", value) : value;
    return {
      expr: bind(name, target, call("_?_:_", call("@has", ident(name)), there, call("optional.none"))),
      optional: true,
    };
  }

  function rewriteLoop(loop: Comprehension, scope: Scope): Comprehension {
    const inside = new Set([...scope, loop.accuVar, loop.iterVar]);
    const collects = isEmptyList(loop.accuInit);
    const step = loop.loopStep && rewrite(loop.loopStep, inside).expr;
    return {
      ...loop,
      iterRange: loop.iterRange && rewrite(loop.iterRange, scope).expr,
      accuInit: collects ? call("@collect") : loop.accuInit && rewrite(loop.accuInit, scope).expr,
      loopCondition: loop.loopCondition && rewrite(loop.loopCondition, inside).expr,
      loopStep: step && collects ? pushing(step, loop.accuVar) : step,
      result: loop.result && rewrite(loop.result, new Set([...scope, loop.accuVar])).expr,
    };
  }
  return rewrite;
}

/** map and filter add lists of one to a list, which takes time by the square: they push instead. */
function pushing(step: Expr, accumulator: string): Expr {
  if (step.exprKind.case !== "callExpr") return step;
  const { function: name, args } = step.exprKind.value;
  if (name === "_?_:_") return call(name, args[0]!, pushing(args[1]!, accumulator), args[2]!);
  const [list, added] = args;
  const collects = list?.exprKind.case === "identExpr" && list.exprKind.value.name === accumulator;
  if (name !== "_+_" || !collects || added?.exprKind.case !== "listExpr") return step;
  return call("@push", list, added.exprKind.value.elements[0]!);
}

const isEmptyList = (expr: Expr | undefined) =>
  expr?.exprKind.case === "listExpr" && expr.exprKind.value.elements.length === 0;

function qualifiedName(expr: Expr): string | undefined {
  if (expr.exprKind.case === "identExpr") return expr.exprKind.value.name;
  if (expr.exprKind.case !== "selectExpr" || !expr.exprKind.value.operand) return undefined;
  const parent = qualifiedName(expr.exprKind.value.operand);
  return parent === undefined ? undefined : `${parent}.${expr.exprKind.value.field}`;
}
