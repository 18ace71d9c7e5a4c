/**
 * A self-service flow as data: what it asks, what it says, how it looks to a client. Pure; stored by store/flows.ts,
 * served by http/. Node names, groups and attributes are those of the public Ory Kratos API.
 */
import { randomUUID } from "node:crypto";
import type { Links } from "./links.ts";
import { labels, noStrategy, texts, type FormKind, type UiText } from "./texts.ts";

export interface UiNode {
  type: "input";
  group: "default" | "password" | "profile";
  attributes: {
    name: string;
    type: "text" | "email" | "password" | "hidden" | "submit";
    value?: string;
    required?: boolean;
    disabled: boolean;
    node_type: "input";
    autocomplete?: string;
    maxlength?: number;
  };
  messages: UiText[];
  meta: { label?: UiText };
}

export interface Flow {
  id: string;
  kind: FormKind;
  state: "choose_method" | "show_form" | "success";
  issuedAt: Date;
  expiresAt: Date;
  updatedAt: Date;
  requestUrl: string;
  returnTo: string | null;
  refresh: boolean;
  requestedAal: "aal1" | "aal2";
  /** SHA-256 of the CSRF cookie of the browser that began the flow. */
  csrfHash: Buffer | null;
  /** registration: SHA-256 of the set-up token it was begun with. */
  secretHash: Buffer | null;
  /** settings and refresh: whose flow it is. */
  identityId: string | null;
  nodes: UiNode[];
  messages: UiText[];
}

/** Minutes a flow may take (facts/engines.md §14; settings: the identity service's default). */
const LIFETIME: Record<FormKind, number> = { login: 10, registration: 10, settings: 60 };

/** Longest e-mail (RFC 5321) and name parts that are taken. */
export const MAX_EMAIL = 254;
export const MAX_NAME = 200;

type Begin = Pick<Flow, "kind" | "requestUrl"> &
  Partial<
    Pick<
      Flow,
      "returnTo" | "refresh" | "requestedAal" | "csrfHash" | "secretHash" | "identityId" | "messages"
    >
  > & { nodes: UiNode[] };

export function beginFlow(begin: Begin, now: Date): Flow {
  return {
    id: randomUUID(),
    state: begin.kind === "settings" ? "show_form" : "choose_method",
    issuedAt: now,
    expiresAt: new Date(now.getTime() + LIFETIME[begin.kind] * 60_000),
    updatedAt: now,
    returnTo: null,
    refresh: false,
    requestedAal: "aal1",
    csrfHash: null,
    secretHash: null,
    identityId: null,
    messages: [],
    ...begin,
  };
}

/** The fresh flow that takes an expired one's place: same purpose, same owner, a new id and the message. */
export function replaceFlow(old: Flow, message: UiText, now: Date): Flow {
  const { kind, requestUrl, returnTo, refresh, requestedAal, csrfHash, secretHash, identityId } = old;
  const nodes = old.nodes.map((node) => ({ ...node, messages: [] }));
  const begin = { kind, requestUrl, returnTo, refresh, requestedAal, csrfHash, secretHash, identityId };
  return beginFlow({ ...begin, nodes, messages: [message] }, now);
}

export function isExpired(flow: Flow, now: Date): boolean {
  return flow.expiresAt <= now;
}

type Attributes = Omit<UiNode["attributes"], "disabled" | "node_type">;
function input(group: UiNode["group"], attributes: Attributes, label?: UiText): UiNode {
  return {
    type: "input",
    group,
    attributes: { ...attributes, disabled: false, node_type: "input" },
    messages: [],
    meta: label ? { label } : {},
  };
}

const submit = (label: UiText) =>
  input("password", { name: "method", type: "submit", value: "password" }, label);

/** With an e-mail (a refresh) the account is given and only the password is asked. */
export function loginNodes(email?: string): UiNode[] {
  return [
    email === undefined
      ? input(
          "default",
          { name: "identifier", type: "text", value: "", required: true, autocomplete: "username" },
          labels.trait("E-Mail"),
        )
      : input("default", { name: "identifier", type: "hidden", value: email, required: true }),
    input(
      "password",
      { name: "password", type: "password", required: true, autocomplete: "current-password" },
      labels.password,
    ),
    submit(labels.signIn),
  ];
}

const newPassword = () =>
  input(
    "password",
    { name: "password", type: "password", required: true, autocomplete: "new-password" },
    labels.password,
  );

export function registrationNodes(): UiNode[] {
  const name = (part: "first" | "last", title: string) =>
    input(
      "default",
      {
        name: `traits.name.${part}`,
        type: "text",
        maxlength: MAX_NAME,
        autocomplete: part === "first" ? "given-name" : "family-name",
      },
      labels.trait(title),
    );
  return [
    input(
      "default",
      { name: "traits.email", type: "email", required: true, autocomplete: "email", maxlength: MAX_EMAIL },
      labels.trait("E-Mail"),
    ),
    name("first", "First Name"),
    name("last", "Last Name"),
    newPassword(),
    submit(labels.signUp),
  ];
}

export function settingsNodes(): UiNode[] {
  return [newPassword(), submit(labels.save)];
}

/** One thing wrong with what was sent: beside its field, or, without one, above the form. */
export interface Complaint {
  field?: string;
  message: UiText;
}

/** The flow again with what was typed (never a password) and the complaints in their places. */
export function refuse(
  flow: Flow,
  typed: ReadonlyMap<string, string>,
  complaints: Complaint[],
  now: Date,
): Flow {
  const names = new Set(flow.nodes.map((node) => node.attributes.name));
  const nodes = flow.nodes.map((node) => {
    const { name, type } = node.attributes;
    const value = type === "text" || type === "email" ? typed.get(name) : undefined;
    return {
      ...node,
      attributes: value === undefined ? node.attributes : { ...node.attributes, value },
      messages: complaints.filter(({ field }) => field === name).map(({ message }) => message),
    };
  });
  const messages = complaints
    .filter(({ field }) => field === undefined || !names.has(field))
    .map(({ message }) => message);
  return { ...flow, nodes, messages, updatedAt: now };
}

/** What is missing of the required inputs, or the one complaint that no method was chosen. */
export function incomplete(flow: Flow, typed: ReadonlyMap<string, string>): Complaint[] {
  if (typed.get("method") !== "password") return [{ message: noStrategy(flow.kind) }];
  return flow.nodes
    .map((node) => node.attributes)
    .filter(({ name, required }) => required && !typed.get(name))
    .map(({ name }) => ({ field: name, message: texts.required(name.split(".").at(-1) ?? name) }));
}

/** The flow as a client of the public API reads it; the CSRF value is masked anew for each answer. */
export function renderFlow(flow: Flow, links: Links, csrfValue: string, identity?: unknown) {
  const csrf = input("default", { name: "csrf_token", type: "hidden", value: csrfValue, required: true });
  return {
    id: flow.id,
    type: "browser" as const,
    issued_at: flow.issuedAt.toISOString(),
    expires_at: flow.expiresAt.toISOString(),
    request_url: flow.requestUrl,
    ...(flow.returnTo !== null && { return_to: flow.returnTo }),
    ui: {
      action: links.service(flow.kind, { flow: flow.id }),
      method: "POST" as const,
      nodes: [csrf, ...flow.nodes],
      ...(flow.messages.length > 0 && { messages: flow.messages }),
    },
    created_at: flow.issuedAt.toISOString(),
    updated_at: flow.updatedAt.toISOString(),
    ...(flow.kind === "login" && { refresh: flow.refresh, requested_aal: flow.requestedAal }),
    ...(identity !== undefined && { identity }),
    state: flow.state,
  };
}
