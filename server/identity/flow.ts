/**
 * A self-service flow as data: what it asks, what it says, how it looks to a client. Pure; stored by store/flows.ts,
 * served by http/, its nodes made by parts (parts.ts).
 */
import { randomUUID } from "node:crypto";
import type { Links } from "./links.ts";
import { input, nameOf, type UiNode } from "./nodes.ts";
import { keptOf, pendingOf } from "./pending.ts";
import type { Aal } from "./store/sessions.ts";
import type { Complaint, FormKind, UiText } from "./texts.ts";

export interface Flow {
  id: string;
  kind: FormKind;
  state: "choose_method" | "show_form" | "sent_email" | "passed_challenge" | "success";
  issuedAt: Date;
  expiresAt: Date;
  updatedAt: Date;
  requestUrl: string;
  returnTo: string | null;
  refresh: boolean;
  requestedAal: Aal;
  /** SHA-256 of the CSRF cookie of the browser that began the flow. */
  csrfHash: Buffer | null;
  /** registration: SHA-256 of the token of the link it was begun with. */
  secretHash: Buffer | null;
  /** settings and refresh: whose flow it is. */
  identityId: string | null;
  nodes: UiNode[];
  messages: UiText[];
  /** What parts keep beside the flow; never shown. */
  context: Readonly<Record<string, unknown>>;
  /** What this request adds to the context: merged when the flow is saved, so that what was spent stays spent. */
  kept: Record<string, unknown>;
}

/** Minutes a flow may take (facts/engines.md §14; settings: the identity service's default). */
const LIFETIME: Record<FormKind, number> = {
  login: 10,
  registration: 10,
  recovery: 10,
  verification: 10,
  settings: 60,
};

type Begin = Pick<Flow, "kind" | "requestUrl"> &
  Partial<
    Pick<
      Flow,
      | "returnTo"
      | "refresh"
      | "requestedAal"
      | "csrfHash"
      | "secretHash"
      | "identityId"
      | "messages"
      | "nodes"
      | "state"
      | "kept"
    >
  >;

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
    nodes: [],
    context: {},
    kept: {},
    ...begin,
  };
}

/**
 * The fresh flow that takes an expired one's place: same purpose, same owner, a new id and the message. A registration
 * goes on waiting for its code.
 */
export function replaceFlow(old: Flow, message: UiText, now: Date): Flow {
  const { kind, requestUrl, returnTo, refresh, requestedAal, csrfHash, secretHash, identityId } = old;
  const begin = { kind, requestUrl, returnTo, refresh, requestedAal, csrfHash, secretHash, identityId };
  return beginFlow({ ...begin, messages: [message], kept: keptOf(pendingOf(old)) }, now);
}

export function isExpired(flow: Flow, now: Date): boolean {
  return flow.expiresAt <= now;
}

const KEEPS_WHAT_WAS_TYPED = new Set(["text", "email", "tel", "url", "number"]);

/** The flow again with what was typed (never a secret) and the complaints in their places. */
export function refuse(
  flow: Flow,
  typed: ReadonlyMap<string, string>,
  complaints: Complaint[],
  now: Date,
): Flow {
  const fields = new Set(
    flow.nodes.filter((node) => node.type === "input" && node.attributes.type !== "hidden").map(nameOf),
  );
  const nodes = flow.nodes.map((node): UiNode => {
    if (node.type !== "input") return { ...node, messages: [] };
    const { name, type, autocomplete, disabled } = node.attributes;
    const isKept = KEEPS_WHAT_WAS_TYPED.has(type) && autocomplete !== "one-time-code" && !disabled;
    const value = isKept ? typed.get(name) : undefined;
    return {
      ...node,
      attributes: value === undefined ? node.attributes : { ...node.attributes, value },
      messages: fields.has(name)
        ? complaints.filter(({ field }) => field === name).map(({ message }) => message)
        : [],
    };
  });
  const messages = complaints
    .filter(({ field }) => field === undefined || !fields.has(field))
    .map(({ message }) => message);
  return { ...flow, nodes, messages, updatedAt: now };
}

/** The flow as a client of the public API reads it; the CSRF value is masked anew for each answer. */
export function renderFlow(flow: Flow, links: Links, csrfValue: string, more: Record<string, unknown> = {}) {
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
    ...(flow.kind === "login" && {
      created_at: flow.issuedAt.toISOString(),
      updated_at: flow.updatedAt.toISOString(),
      refresh: flow.refresh,
      requested_aal: flow.requestedAal,
    }),
    ...more,
    state: flow.state,
  };
}
