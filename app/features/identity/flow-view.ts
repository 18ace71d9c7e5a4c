import type { UiContainer, UiNode, UiNodeAttributes, UiText } from "@ory/client";
import { completionOf, inputModeOf } from "./flow-hints.ts";
import { credentialCall, type CredentialCall } from "./credential-call.ts";

/** A sentence of the identity service and how it is meant. */
export interface FlowMessage {
  text: string;
  tone: "info" | "error" | "success";
}

/** A recovery code, or what is said in the place of one that was used. */
export interface FlowCode {
  text: string;
  isUsed: boolean;
}

interface Named {
  /** The way to sign in, or the section of the settings, that it belongs to; `default`: to all of them. */
  group: string;
  name: string;
}
export interface FlowInput extends Named {
  kind: "input" | "checkbox";
  type: string;
  value: string;
  label: string;
  required: boolean;
  disabled: boolean;
  autoComplete: string | undefined;
  inputMode: "numeric" | undefined;
  pattern: string | undefined;
  maxLength: number | undefined;
  /** The only values it takes, where they are given. */
  options: string[] | undefined;
  messages: FlowMessage[];
}
export interface FlowSubmit extends Named {
  kind: "submit";
  value: string;
  label: string;
  disabled: boolean;
  /** The security key or passkey that it removes. */
  removes: { name: string; addedAt: string } | null;
}
/** A button that asks the browser for a credential (WebAuthn); it needs a script. */
export interface FlowTrigger extends Named {
  kind: "trigger";
  label: string;
  disabled: boolean;
  call: CredentialCall | null;
  /** What the browser offers while the page is open, without a press. */
  onLoad: CredentialCall | null;
}
export interface FlowScript {
  kind: "script";
  group: string;
  src: string;
  integrity: string | undefined;
}

/** One part of a flow's form, reduced to what is drawn. Secrets that were typed are never in it. */
export type FlowField =
  | (Named & { kind: "hidden"; value: string; onLoad: CredentialCall | null })
  | FlowSubmit
  | FlowTrigger
  | FlowInput
  | FlowScript
  | { kind: "text"; group: string; label: string; text: string; codes: FlowCode[] }
  | {
      kind: "image";
      group: string;
      src: string;
      label: string;
      size: { width: number; height: number } | null;
    }
  | { kind: "link"; group: string; href: string; label: string };

export interface FlowView {
  id: string;
  /** Where the flow stands, as the service names it (`choose_method`, `sent_email`, `success` …). */
  state: string;
  messages: FlowMessage[];
  fields: FlowField[];
}

/** What every kind of self-service flow has in common. */
export interface AnyFlow {
  id: string;
  state?: unknown;
  ui: Pick<UiContainer, "nodes" | "messages">;
}

/** The identity service's numbers of the list of recovery codes, and of one that was used (facts/ui-screens §2.3). */
const CODE_LIST = 1050015;
const CODE_USED = 1050014;
/** Its numbers of "Remove security key" and "Remove passkey". */
const REMOVALS = new Set([1050018, 1050020]);

/** The flow as data for the page, nodes in their order (facts/ui-screens §2.3). What is unknown is left out. */
export function describeFlow({ id, state, ui }: AnyFlow): FlowView {
  // A message at a node that has no line for it would be lost.
  const stray = ui.nodes
    .filter((node) => !showsMessages(node.attributes))
    .flatMap(({ messages }) => messages);
  return {
    id,
    state: typeof state === "string" ? state : "",
    messages: messagesOf([...(ui.messages ?? []), ...stray]),
    fields: ui.nodes.flatMap(describeNode),
  };
}

const HAS_NO_LINE = new Set(["hidden", "submit", "button"]);
const showsMessages = (attributes: UiNodeAttributes) =>
  attributes.node_type === "input" && !HAS_NO_LINE.has(attributes.type);

function describeNode({ attributes, messages, meta, group }: UiNode): FlowField[] {
  const label = meta.label?.text ?? "";
  switch (attributes.node_type) {
    case "input": {
      const field = describeInput(attributes, messages, label, group);
      return [field.kind === "submit" ? { ...field, removes: removedBy(meta.label) } : field];
    }
    case "text":
      return [{ kind: "text", group, label, text: attributes.text.text, codes: codesOf(attributes.text) }];
    case "img": {
      const { src, width, height } = attributes;
      const size = width > 0 && height > 0 ? { width, height } : null;
      return isPicture(src) ? [{ kind: "image", group, src, label, size }] : [];
    }
    case "a": {
      const { href, title } = attributes;
      return isAddress(href) ? [{ kind: "link", group, href, label: title.text || label }] : [];
    }
    case "script":
      return [{ kind: "script", group, src: attributes.src, integrity: attributes.integrity || undefined }];
    default:
      return [];
  }
}

type InputAttributes = Extract<UiNodeAttributes, { node_type: "input" }>;

function describeInput(input: InputAttributes, messages: UiText[], label: string, group: string): FlowField {
  const { name, type, disabled } = input;
  const value = input.value === undefined || input.value === null ? "" : String(input.value);
  const onLoad = credentialCall(input.onloadTrigger, input.onload);
  if (type === "hidden") return { kind: "hidden", group, name, value, onLoad };
  if (type === "button") {
    const call = credentialCall(input.onclickTrigger, input.onclick, value);
    return { kind: "trigger", group, name, label: label || "Continue", disabled, call, onLoad };
  }
  if (type === "submit")
    return { kind: "submit", group, name, value, label: label || value, disabled, removes: null };
  return {
    kind: type === "checkbox" ? "checkbox" : "input",
    group,
    name,
    type,
    value: type === "password" ? "" : value,
    label: label || name,
    required: input.required ?? false,
    disabled,
    autoComplete: input.autocomplete ?? completionOf(name),
    inputMode: inputModeOf(name),
    pattern: input.pattern,
    maxLength: input.maxlength,
    options: input.options?.map((option) => String(option.value)),
    messages: messagesOf(messages),
  };
}

/** Which key a label of the identity service speaks of: its name, and since when it is there. */
function removedBy(label: UiText | undefined): FlowSubmit["removes"] {
  const { display_name: name, added_at: addedAt } = (label?.context ?? {}) as Record<string, unknown>;
  const isKey = label !== undefined && REMOVALS.has(label.id) && typeof name === "string";
  return isKey && typeof addedAt === "string" ? { name, addedAt } : null;
}

/** The codes a text brings along one by one; without them it is shown as it is. */
function codesOf({ id, context }: UiText): FlowCode[] {
  const listed = (context as { secrets?: unknown } | undefined)?.secrets;
  if (id !== CODE_LIST || !Array.isArray(listed)) return [];
  return (listed as Partial<UiText>[]).map((code) => ({
    text: String(code.text ?? ""),
    isUsed: code.id === CODE_USED,
  }));
}

const messagesOf = (messages: readonly UiText[]): FlowMessage[] =>
  messages.map(({ text, type }) => ({ text, tone: type === "error" || type === "success" ? type : "info" }));

/** The flow with values for its empty fields of those names. */
export function fillIn(flow: FlowView, values: Readonly<Record<string, string>>): FlowView {
  const fields = flow.fields.map((field) => {
    const value = field.kind === "input" && field.value === "" ? values[field.name] : undefined;
    return value ? { ...field, value } : field;
  });
  return { ...flow, fields };
}

/** Pictures that our policy lets a page show: ours, or written out. */
const isPicture = (src: string) => /^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]|^\/(?![/\\])/.test(src);
const isAddress = (href: string) => /^https?:\/\/|^\/(?![/\\])/.test(href);
