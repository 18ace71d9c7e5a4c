import type { FlowView } from "./flow-view.ts";

/** The forms a person fills in to get in, or to choose a new password once in. */
export type FlowKind = "login" | "registration" | "settings";

/** A form to draw, and the Set-Cookie lines that belong to it. `title` is the login page's, which has three. */
interface Begun {
  flow: FlowView;
  title: string | null;
  cookies: string[];
}
/** What came of a posted form: the form again, with what is wrong, or success. */
export type Submitted =
  { done: false; flow: FlowView; cookies: string[] } | { done: true; cookies: string[] };

/**
 * One way to sign in (DESIGN C9): the built-in identity service, or later a hosted provider. Whatever the way, it ends
 * in cookies that `authorize()` can show upstream. Every method throws Responses: redirects, refusals, upstream away.
 */
export interface IdentityMode {
  /** The form for a GET: the one named by `?flow=`, or a new one. */
  begin(kind: FlowKind, request: Request): Promise<Begun>;
  /** Judges a posted form. */
  submit(kind: FlowKind, request: Request): Promise<Submitted>;
  /** Spends a recovery link; the answer names the flow in which the new password is chosen. */
  recover(
    request: Request,
    link: { flow: string; token: string },
  ): Promise<{ settings: string; cookies: string[] }>;
  /** Ends the session; the Set-Cookie lines make the browser forget it. */
  signOut(request: Request): Promise<string[]>;
  /** An error the service kept for its error page, or null when it is gone. */
  findError(request: Request, id: string): Promise<unknown>;
}
