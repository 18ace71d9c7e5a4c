/** The nodes of a flow's form: types, groups, names and attributes of the public Ory Kratos API. Pure. */
import { labels, type UiText } from "./texts.ts";

export type Group =
  | "default"
  | "password"
  | "profile"
  | "code"
  | "link"
  | "oidc"
  | "totp"
  | "lookup_secret"
  | "webauthn"
  | "passkey";

interface NodeOf<Type extends string, Attributes> {
  type: Type;
  group: Group;
  attributes: Attributes & { node_type: Type };
  messages: UiText[];
  meta: { label?: UiText };
}

export interface InputAttributes {
  name: string;
  type:
    "text" | "email" | "tel" | "url" | "number" | "password" | "checkbox" | "hidden" | "submit" | "button";
  value?: string | number | boolean;
  required?: boolean;
  disabled: boolean;
  autocomplete?: string;
  maxlength?: number;
  pattern?: string;
  label?: UiText;
  onclick?: string;
  onclickTrigger?: string;
  onload?: string;
  onloadTrigger?: string;
}
interface ScriptAttributes {
  id: string;
  src: string;
  async: boolean;
  type: string;
  referrerpolicy: string;
  crossorigin: string;
  integrity: string;
  nonce: string;
}

export type InputNode = NodeOf<"input", InputAttributes>;
export type UiNode =
  | InputNode
  | NodeOf<"img", { id: string; src: string; width: number; height: number }>
  | NodeOf<"text", { id: string; text: UiText }>
  | NodeOf<"a", { id: string; href: string; title: UiText }>
  | NodeOf<"script", ScriptAttributes>;

/** An input of any type; the label is its `meta.label`. */
export function input(
  group: Group,
  attributes: Omit<InputAttributes, "disabled"> & { disabled?: boolean },
  label?: UiText,
): InputNode {
  return {
    type: "input",
    group,
    attributes: { disabled: false, ...attributes, node_type: "input" },
    messages: [],
    meta: label ? { label } : {},
  };
}

/** The button that sends a group: `method=<group>` unless another name and value are given. */
export function submit(
  group: Group,
  label: UiText,
  { name = "method", value = group as string } = {},
): UiNode {
  return input(group, { name, type: "submit", value }, label);
}

/** A picture; `src` may be a `data:` address. */
export function image(
  group: Group,
  attributes: { id: string; src: string; width: number; height: number },
  label?: UiText,
): UiNode {
  return {
    type: "img",
    group,
    attributes: { ...attributes, node_type: "img" },
    messages: [],
    meta: label ? { label } : {},
  };
}

/** A text to be read and kept, such as a secret key; its `context` may hold the parts of it. */
export function text(group: Group, id: string, content: UiText, label?: UiText): UiNode {
  return {
    type: "text",
    group,
    attributes: { id, text: content, node_type: "text" },
    messages: [],
    meta: label ? { label } : {},
  };
}

/** A link. */
export function anchor(group: Group, id: string, href: string, title: UiText): UiNode {
  return { type: "a", group, attributes: { id, href, title, node_type: "a" }, messages: [], meta: {} };
}

/** What a node is called in a form: an input's name, else its id. */
export function nameOf(node: UiNode): string {
  return node.type === "input" ? node.attributes.name : node.attributes.id;
}

/** Longest e-mail (RFC 5321) and name parts that are taken. */
export const MAX_EMAIL = 254;
export const MAX_NAME = 200;

/** With an e-mail (a refresh) the account is given and its password is asked. */
export function identifierNode(email: string | null): UiNode {
  return email === null
    ? input(
        "default",
        { name: "identifier", type: "text", value: "", required: true, autocomplete: "username" },
        labels.trait("E-Mail"),
      )
    : input("default", { name: "identifier", type: "hidden", value: email, required: true });
}

export function passwordNode(autocomplete: "current-password" | "new-password"): UiNode {
  return input(
    "password",
    { name: "password", type: "password", required: true, autocomplete },
    labels.password,
  );
}

/** The traits of the identity schema as inputs, with what they hold now. */
export function traitNodes(
  group: Group,
  values: { email?: string; first?: string; last?: string } = {},
): UiNode[] {
  const name = (part: "first" | "last", title: string) =>
    input(
      group,
      {
        name: `traits.name.${part}`,
        type: "text",
        maxlength: MAX_NAME,
        ...(values[part] !== undefined && { value: values[part] }),
      },
      labels.trait(title),
    );
  return [
    input(
      group,
      {
        name: "traits.email",
        type: "email",
        required: true,
        autocomplete: "email",
        maxlength: MAX_EMAIL,
        ...(values.email !== undefined && { value: values.email }),
      },
      labels.trait("E-Mail"),
    ),
    name("first", "First Name"),
    name("last", "Last Name"),
  ];
}

export function registrationNodes(values?: Parameters<typeof traitNodes>[1]): UiNode[] {
  return [...traitNodes("default", values), passwordNode("new-password"), submit("password", labels.signUp)];
}
