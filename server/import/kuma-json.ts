import type { Part } from "./documents.ts";
import { Refusal, textOf, type Fields } from "./entry.ts";

/** What a json-query monitor expects, as CEL. Of its query language only paths have a counterpart. */
export function jsonTest(part: Part, monitor: Fields): string {
  const path = (textOf(monitor["jsonPath"]) ?? "$").replace(/^\$\.?/, "");
  const steps = [...path.matchAll(/(?:^|\.)([A-Za-z_][\w-]*)|\[(\d+)\]/gy)];
  if (steps.reduce((length, [step]) => length + step.length, 0) !== path.length)
    throw new Refusal(
      part.remark(
        ["jsonPath"],
        "only paths such as $.data[0].state have a counterpart: write it as test in CEL",
      ),
    );
  const value = `json${steps
    .map(([, name, index]) =>
      name === undefined ? `[${index}]` : /^\w+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`,
    )
    .join("")}`;
  const expected = textOf(monitor["expectedValue"]) ?? "";
  const operator = textOf(monitor["jsonPathOperator"]) ?? "==";
  if (["<", "<=", ">", ">="].includes(operator) && /^-?\d+(\.\d+)?$/.test(expected))
    return `double(${value}) ${operator} ${expected.includes(".") ? expected : `${expected}.0`}`;
  if (operator === "contains") return `string(${value}).contains(${JSON.stringify(expected)})`;
  if (operator !== "==" && operator !== "!=")
    throw new Refusal(part.remark(["jsonPathOperator"], `the operator ${operator} has no counterpart`));
  return /^(true|false|null)$/.test(expected)
    ? `${value} ${operator} ${expected}`
    : `string(${value}) ${operator} ${JSON.stringify(expected)}`;
}
