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

test("a button that removes a key says which, and since when it is there", () => {
  const removal = (id: number, context?: object) =>
    ({
      ...input({ name: "webauthn_remove", type: "submit", value: "aa" }, 'Remove security key "Blue"'),
      meta: { label: { id, type: "info", text: 'Remove security key "Blue"', ...(context && { context }) } },
    }) as UiNode;
  const key = { display_name: "Blue", added_at: "2026-11-21T20:33:24.159Z" };
  const { fields } = describeFlow({
    id: "f",
    ui: { nodes: [removal(1050018, key), removal(1050018), removal(1070003, key)], messages: [] },
  });
  expect(fields).toMatchObject([
    { label: 'Remove security key "Blue"', removes: { name: "Blue", addedAt: key.added_at } },
    { removes: null },
    { removes: null },
  ]);
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
