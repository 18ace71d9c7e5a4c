/**
 * Flows are made of parts: each way to sign in and each section of the settings is one, kept by a file of its own, and
 * the endpoints (http/login.ts, http/settings.ts) know only these interfaces. A part builds its nodes, recognises its
 * forms and judges them; sessions, CSRF, expiry, redirects and messages above the form are the endpoints'.
 */
import type { Flow } from "./flow.ts";
import type { Group, UiNode } from "./nodes.ts";
import type { Caller } from "./sign-in.ts";
import type { Identity } from "./store/identities.ts";
import type { Aal, Session, SessionMethod } from "./store/sessions.ts";
import { texts, type Complaint, type UiText } from "./texts.ts";

export type { Complaint };

/** What a part may know of the request. */
export interface PartContext extends Caller {
  /** The browser's session; null at a first sign-in. */
  session: Session | null;
  /** The request, for its headers and cookies (the body is read already: see `PartInput.form`). */
  request: Request;
  now: Date;
  /** Puts something of the part's own beside the flow (a challenge, a secret to be confirmed); never shown to a client. */
  keep(name: string, value: unknown): void;
  /** What was kept, without spending it; undefined when there is none. */
  kept(name: string): unknown;
  /** Spends what was kept: of several requests at once exactly one gets it, the others undefined. */
  take(name: string): Promise<unknown>;
}

/** A submitted form that is a part's to judge. The CSRF token is checked and the flow is not expired. */
export interface PartInput {
  flow: Flow;
  /** The posted fields by the names of the nodes, JSON flattened (`traits.name.first`). */
  form: ReadonlyMap<string, string>;
  ctx: PartContext;
}

interface Part {
  /** The group of its nodes; a form whose `method` is this is the part's. */
  group: Group;
  /** Inputs whose presence (not empty) makes a form the part's although it names no method, e.g. `totp_unlink`. */
  fields?: readonly string[];
}

/** Somebody has proved who they are; the endpoint opens or strengthens the session. */
export interface Proven {
  personId: string;
  method: SessionMethod;
}

/** One way to sign in, as it stands in a login flow. */
export interface LoginPart extends Part {
  /** What it proves. aal1 parts stand in first sign-ins and refreshes, aal2 parts where `aal=aal2` is asked. */
  aal: Aal;
  /**
   * Its nodes; none when this person has none of it. `identity` is null when nobody is signed in: then the nodes are
   * those that suit anybody.
   */
  nodes(flow: Flow, identity: Identity | null, ctx: PartContext): Promise<UiNode[]>;
  /** An aal2 part answers for the person of `ctx.session`. */
  submit(input: PartInput): Promise<LoginAnswer>;
}

export type LoginAnswer =
  | Proven
  /** `failed`: something was given that is wrong (not only missing), which is noted. */
  | { complaints: Complaint[]; failed?: { email: string | null; reason: string } }
  | { redirect: string };

/** One section of the settings flow. */
export interface SettingsPart extends Part {
  nodes(flow: Flow, identity: Identity, ctx: PartContext): Promise<UiNode[]>;
  /** Whether this form wants a session that was confirmed within the last quarter of an hour; most sections do always. */
  needsFreshSession(input: PartInput & { identity: Identity }): boolean;
  submit(input: PartInput & { identity: Identity }): Promise<SettingsAnswer>;
}

export type SettingsAnswer =
  /**
   * Saved: all sections are drawn anew. `continueWith` are the further steps the public API names; `proved` is what
   * setting up a factor has shown of its owner, which counts for this session.
   */
  | {
      done: true;
      messages?: UiText[];
      continueWith?: ContinueWith[];
      proved?: { method: SessionMethod; aal: Aal };
    }
  | { complaints: Complaint[] }
  /** Another step of the same section: these nodes take the place of the part's own. */
  | { again: UiNode[]; messages?: UiText[] }
  | { redirect: string };

/** Where to go on, as the public API says it. */
export type ContinueWith = { action: "redirect_browser_to"; redirect_browser_to: string } | ShowVerification;
export interface ShowVerification {
  action: "show_verification_ui";
  flow: { id: string; url: string; verifiable_address: string };
}

/** The part a form belongs to: the one its method names, else the one whose field it carries. */
export function partOf<Each extends Part>(
  parts: readonly Each[],
  form: ReadonlyMap<string, string>,
): Each | undefined {
  const method = form.get("method");
  const carries = (part: Part) => part.fields?.some((field) => !!form.get(field)) ?? false;
  return (method ? parts.find(({ group }) => group === method) : undefined) ?? parts.find(carries);
}

/** The complaints about required inputs of these groups that were left empty. */
export function missingOf(
  { flow, form }: Pick<PartInput, "flow" | "form">,
  groups: readonly Group[],
): Complaint[] {
  const missing: Complaint[] = [];
  for (const node of flow.nodes) {
    if (node.type !== "input" || !groups.includes(node.group)) continue;
    const { name, required } = node.attributes;
    if (required && !form.get(name))
      missing.push({ field: name, message: texts.required(name.split(".").at(-1) ?? name) });
  }
  return missing;
}
