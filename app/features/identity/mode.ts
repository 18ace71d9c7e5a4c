import type { FlowView } from "./flow-view.ts";
import type { SessionLine } from "./sessions.ts";

/** The forms a person fills in to get in, to prove an address, or to change what is known of them. */
export type FlowKind = "login" | "registration" | "recovery" | "verification" | "settings";

/** A form to draw, and the Set-Cookie lines that belong to it. `title` is the login page's, which has three. */
export interface Begun {
  flow: FlowView;
  title: string | null;
  cookies: string[];
}
/**
 * What came of a posted form: the form again, with what is wrong, or success. `to` is the page the identity service
 * leads to from there; null: where the page itself leads.
 */
export type Submitted =
  { done: false; flow: FlowView; cookies: string[] } | { done: true; to: string | null; cookies: string[] };

/**
 * One way to sign in (DESIGN C9): an identity service that speaks the public Ory Kratos API, or a hosted provider.
 * Whatever the way, it ends in cookies that `authorize()` can show upstream. Every method throws Responses: redirects,
 * refusals, upstream away.
 */
export interface IdentityMode {
  /** The form for a GET: the one named by `?flow=`, or a new one. */
  begin(kind: FlowKind, request: Request): Promise<Begun>;
  /** Judges a posted form. */
  submit(kind: FlowKind, request: Request): Promise<Submitted>;
  /** Spends a recovery link; the answer is the page on which the new password is chosen. */
  recover(
    request: Request,
    link: { flow: string; token: string },
  ): Promise<{ to: string; cookies: string[] }>;
  /** Ends the session; the Set-Cookie lines make the browser forget it. */
  signOut(request: Request): Promise<string[]>;
  /** The sessions of whoever asks, this browser's first. */
  sessions(request: Request): Promise<SessionLine[]>;
  /** Ends one of them, or (null) all but this browser's. False: there is no such session any more. */
  endSession(request: Request, id: string | null): Promise<boolean>;
  /** An error the service kept for its error page, or null when it is gone. */
  findError(request: Request, id: string): Promise<unknown>;
}
