import type { UiContainer, UiNode, UiNodeAttributes, UiText } from "@ory/client";

/** A sentence of the identity service and how it is meant. */
export interface FlowMessage {
  text: string;
  tone: "info" | "error" | "success";
}

/** One part of a flow's form, reduced to what is drawn. Secrets that were typed are never in it. */
export type FlowField =
  | { kind: "hidden"; name: string; value: string }
  | { kind: "submit"; name: string; value: string; label: string; group: string }
  | {
      kind: "input" | "checkbox";
      name: string;
      type: string;
      value: string;
      label: string;
      required: boolean;
      disabled: boolean;
      autoComplete: string | undefined;
      pattern: string | undefined;
      maxLength: number | undefined;
      messages: FlowMessage[];
    }
  | { kind: "text"; label: string; text: string }
  | { kind: "image"; src: string; label: string }
  | { kind: "link"; href: string; label: string };

export interface FlowView {
  id: string;
  messages: FlowMessage[];
  fields: FlowField[];
}

/** What every kind of self-service flow has in common. */
export interface AnyFlow {
  id: string;
  ui: Pick<UiContainer, "nodes" | "messages">;
}

/** The flow as data for the page, nodes in their order (facts/ui-screens §2.3). Script nodes are another issue's. */
export function describeFlow(flow: AnyFlow): FlowView {
  return { id: flow.id, messages: messagesOf(flow.ui.messages), fields: flow.ui.nodes.flatMap(describeNode) };
}

function describeNode({ attributes, messages, meta, group }: UiNode): FlowField[] {
  const label = meta.label?.text ?? "";
  switch (attributes.node_type) {
    case "input":
      return [describeInput(attributes, messages, label, group)];
    case "text":
      return [{ kind: "text", label, text: attributes.text.text }];
    case "img":
      return [{ kind: "image", src: attributes.src, label }];
    case "a":
      return [{ kind: "link", href: attributes.href, label: attributes.title.text || label }];
    default:
      return [];
  }
}

type InputAttributes = Extract<UiNodeAttributes, { node_type: "input" }>;

function describeInput(input: InputAttributes, messages: UiText[], label: string, group: string): FlowField {
  const { name, type } = input;
  const value = input.value === undefined || input.value === null ? "" : String(input.value);
  if (type === "hidden") return { kind: "hidden", name, value };
  if (type === "submit" || type === "button")
    return { kind: "submit", name, value, label: label || value, group };
  return {
    kind: type === "checkbox" ? "checkbox" : "input",
    name,
    type,
    value: type === "password" ? "" : value,
    label: label || name,
    required: input.required ?? false,
    disabled: input.disabled,
    autoComplete: input.autocomplete,
    pattern: input.pattern,
    maxLength: input.maxlength,
    messages: messagesOf(messages),
  };
}

const messagesOf = (messages: readonly UiText[] | undefined): FlowMessage[] =>
  (messages ?? []).map(({ text, type }) => ({
    text,
    tone: type === "error" || type === "success" ? type : "info",
  }));

/** The JSON body of a submitted form: `traits.name.first` becomes `{traits: {name: {first}}}`. */
export function flowBody(form: Iterable<[string, FormDataEntryValue]>): Record<string, unknown> {
  const body = emptyObject();
  for (const [name, value] of form) {
    if (typeof value !== "string") continue;
    const path = name.startsWith("traits.") ? name.split(".") : [name];
    let place = body;
    for (const part of path.slice(0, -1)) {
      const next = place[part];
      place = isObject(next) ? next : ((place[part] = emptyObject()) as Record<string, unknown>);
    }
    place[path.at(-1) ?? name] = value;
  }
  return body;
}

/** Without a prototype: names come from whoever posted the form. */
const emptyObject = () => Object.create(null) as Record<string, unknown>;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
