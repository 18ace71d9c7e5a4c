/** Flows as a real Kratos answers them (tests/fixtures/kratos), as data for the page and as forms. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { accountOf, formsOf, skipsValidation } from "./flow-forms.ts";
import { describeFlow, fillIn, type FlowField } from "./flow-view.ts";

const flowOf = (name: string) =>
  describeFlow(JSON.parse(readFileSync(`tests/fixtures/kratos/${name}.json`, "utf8")) as never);
const named = (fields: FlowField[]) =>
  fields
    .map((field) => ("name" in field ? field.name : field.kind === "script" ? "" : field.kind))
    .filter(Boolean);
const formOf = (name: string, group: string) => formsOf(flowOf(name)).find((part) => part.group === group)!;

describe("signing in", () => {
  test("the ways that need the identifier share its form, providers stand apart", () => {
    const forms = formsOf(flowOf("login"));
    expect(forms.map(({ group, fields }) => [group, named(fields)])).toEqual([
      [
        "default",
        [
          "csrf_token",
          "identifier",
          "passkey_challenge",
          "passkey_login",
          "passkey_login_trigger",
          "password",
          "method",
          "method",
        ],
      ],
      ["oidc", ["csrf_token", "provider"]],
    ]);
  });

  test("one way's required field never stands in the way of another", () => {
    const form = formOf("login", "default");
    expect(skipsValidation(form, { group: "password", name: "method" })).toBe(false);
    expect(skipsValidation(form, { group: "code", name: "method" })).toBe(true);
    expect(skipsValidation(formOf("login", "oidc"), { group: "oidc", name: "provider" })).toBe(true);
  });

  test("a passkey is asked for by a press and offered while typing", () => {
    const trigger = flowOf("login").fields.find(({ kind }) => kind === "trigger");
    expect(trigger).toMatchObject({
      label: "Sign in with passkey",
      call: { does: "get", from: "passkey_challenge", into: "passkey_login", options: null },
      onLoad: { does: "offer", into: "passkey_login" },
    });
  });

  test("each second factor has a form of its own, with who it is", () => {
    const forms = formsOf(flowOf("login-aal2"));
    expect(forms.map(({ group, fields }) => [group, named(fields)])).toEqual([
      ["lookup_secret", ["csrf_token", "identifier", "lookup_secret", "method"]],
      ["totp", ["csrf_token", "identifier", "totp_code", "method"]],
      ["webauthn", ["csrf_token", "identifier", "webauthn_login_trigger", "webauthn_login"]],
    ]);
    const code = flowOf("login-aal2").fields.find((field) => "name" in field && field.name === "totp_code");
    expect(code).toMatchObject({
      autoComplete: "one-time-code",
      inputMode: "numeric",
      messages: [{ tone: "error", text: expect.stringContaining("authentication code is invalid") }],
    });
  });
});

test("a refused registration keeps what was typed but the password, with each message at its field", () => {
  const { fields } = flowOf("registration");
  expect(fields).toMatchObject([
    { kind: "hidden", name: "csrf_token" },
    { name: "traits.email", value: "ada", messages: [{ tone: "error" }], autoComplete: "email" },
    { name: "traits.name.first", value: "Ada", autoComplete: "given-name" },
    { kind: "checkbox", name: "traits.newsletter", value: "true" },
    { name: "traits.size", value: "M", options: ["S", "M"] },
    { name: "password", value: "", messages: [{ text: expect.stringContaining("data breach") }] },
    { kind: "submit", label: "Sign up" },
  ]);
  expect(JSON.stringify(fields)).not.toContain("typed");
});

test("a code is asked for, and another may be sent without one", () => {
  const form = formOf("recovery-sent", "code");
  expect(named(form.fields)).toEqual(["csrf_token", "code", "method", "method", "email"]);
  expect(skipsValidation(form, { group: "code", name: "method" })).toBe(false);
  expect(skipsValidation(form, { group: "code", name: "email" })).toBe(true);
  const filled = fillIn(flowOf("recovery-sent"), { code: "123456", unheard: "x" });
  expect(filled.fields.find((field) => "name" in field && field.name === "code")).toMatchObject({
    value: "123456",
  });
});

describe("the settings", () => {
  test("each group has a form, unknown ones too; what nobody has heard of is left out", () => {
    expect(formsOf(flowOf("settings")).map(({ group, fields }) => [group, named(fields)])).toEqual([
      ["profile", ["csrf_token", "traits.email", "traits.name.first", "method"]],
      ["password", ["csrf_token", "password", "method"]],
      ["oidc", ["csrf_token", "link", "unlink"]],
      ["lookup_secret", ["csrf_token", "text", "lookup_secret_confirm"]],
      ["totp", ["csrf_token", "image", "text", "totp_code", "method"]],
      [
        "webauthn",
        [
          "csrf_token",
          "webauthn_remove",
          "webauthn_register_displayname",
          "webauthn_register",
          "webauthn_register_trigger",
        ],
      ],
      ["future_method", ["csrf_token", "future_value", "method"]],
    ]);
  });

  test("recovery codes come one by one, and a used one is no code", () => {
    const text = flowOf("settings").fields.find(({ kind }) => kind === "text");
    expect(text).toMatchObject({
      codes: [{ text: "abc12345", isUsed: false }, { isUsed: true }, { text: "def67890", isUsed: false }],
    });
  });

  test("the picture is only drawn from our own address or from itself", () => {
    const image = (src: string) =>
      describeFlow({
        id: "1",
        ui: {
          nodes: [
            {
              type: "img",
              group: "totp",
              attributes: { node_type: "img", src, id: "x", width: 1, height: 1 },
              messages: [],
              meta: {},
            },
          ] as never,
        },
      }).fields;
    expect(image("data:image/png;base64,AA")).toHaveLength(1);
    for (const src of [
      "https://evil.example/pixel.png",
      "//evil.example/x",
      "data:text/html,x",
      "javascript:0",
    ])
      expect(image(src)).toEqual([]);
  });
});

test("a password manager is told whose password it is, where the form does not ask", () => {
  const account = (name: string, group: string) => accountOf(flowOf(name), formOf(name, group));
  const settings = flowOf("settings");
  const email = settings.fields.find((field) => "name" in field && field.name === "traits.email");
  expect(account("settings", "password")).toBe((email as { value: string }).value);
  expect(account("settings", "profile"), "no password is asked for").toBeNull();
  expect(account("login", "default"), "it asks who it is").toBeNull();
  const refresh: FlowField[] = [
    { kind: "hidden", group: "default", name: "identifier", value: "ada@example.org", onLoad: null },
    ...flowOf("login").fields.filter(({ group }) => group === "password"),
  ];
  expect(accountOf({ fields: refresh }, { group: "password", fields: refresh })).toBe("ada@example.org");
});

test("a message at a node without a line stands above the form, and links lead to addresses only", () => {
  const text = { id: 1, type: "error", text: "No." };
  const link = (href: string) => ({
    type: "a",
    group: "code",
    attributes: { node_type: "a", href, id: "x", title: { id: 1, type: "info", text: "Go" } },
    messages: [],
    meta: {},
  });
  const view = describeFlow({
    id: "1",
    ui: {
      nodes: [
        {
          type: "input",
          group: "default",
          attributes: { node_type: "input", type: "hidden", name: "x", disabled: false },
          messages: [text],
          meta: {},
        },
        link("javascript:alert(1)"),
        link("/health"),
      ] as never,
    },
  });
  expect(view.messages).toEqual([{ text: "No.", tone: "error" }]);
  expect(view.fields.filter(({ kind }) => kind === "link")).toMatchObject([{ href: "/health" }]);
});
