import type { UiNode } from "@ory/client";
import { expect, test } from "vitest";
import { describeFlow, flowBody } from "./flow-view.ts";

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

test("traits nest, other names stay, and no name reaches a prototype", () => {
  const form = new URLSearchParams([
    ["csrf_token", "t"],
    ["traits.email", "a@b"],
    ["traits.name.first", "Ada"],
    ["traits.__proto__.polluted", "yes"],
    ["__proto__", "x"],
  ]);
  const body = flowBody(form);
  expect(JSON.parse(JSON.stringify(body))).toMatchObject({
    csrf_token: "t",
    traits: { email: "a@b", name: { first: "Ada" } },
  });
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});
