import type { UiNode } from "@ory/client";
import { expect, test } from "vitest";
import { flowFields } from "./flow-fields.ts";
import { describeFlow } from "./flow-view.ts";

const input = (attributes: object, label?: string): UiNode =>
  ({
    type: "input",
    group: "default",
    attributes: { node_type: "input", disabled: false, ...attributes },
    messages: [],
    meta: label ? { label: { id: 1, type: "info", text: label } } : {},
  }) as unknown as UiNode;

test("a flow is drawn in its order, and a typed password never comes back", () => {
  const view = describeFlow({
    id: "1",
    ui: {
      nodes: [
        input({ name: "csrf_token", type: "hidden", value: "t" }),
        input({ name: "identifier", type: "text", value: "ada", required: true }, "E-Mail"),
        input({ name: "password", type: "password", value: "typed" }, "Password"),
        input({ name: "method", type: "submit", value: "password" }, "Sign in"),
      ],
      messages: [{ id: 1, type: "error", text: "No." }],
    },
  });
  expect(view.messages).toEqual([{ text: "No.", tone: "error" }]);
  expect(view.fields).toMatchObject([
    { kind: "hidden", name: "csrf_token", value: "t" },
    { kind: "input", label: "E-Mail", value: "ada", required: true },
    { kind: "input", label: "Password", value: "" },
    { kind: "submit", label: "Sign in", value: "password" },
  ]);
  expect(JSON.stringify(view)).not.toContain("typed");
});

test("a form is sent field by field: the last value of each, and no files", () => {
  const form: [string, FormDataEntryValue][] = [
    ["traits.email", "a@b"],
    ["traits.newsletter", "false"],
    ["traits.newsletter", "true"],
    ["__proto__", "x"],
    ["file", new File(["x"], "x")],
  ];
  expect(flowFields(form).toString()).toBe("traits.email=a%40b&traits.newsletter=true&__proto__=x");
});
