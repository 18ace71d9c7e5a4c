/**
 * A form that was posted after its session had ended (issue 5, deliver 10): what the answer (401) carries for the page
 * that asks to sign in again, and what that page sends back.
 */
import { isRouteErrorResponse } from "@remix-run/react";

/** The hidden input that holds the sealed fields, and the name under which a post of nothing else is known. */
export const KEPT_FIELD = "_kept";

/** Sent by a page that is read anew by itself while it holds typed text: an ended session is told then, and leads nowhere. */
export const TYPED_HEADER = "x-typed";

export interface SignedOut {
  /** Where the form was posted; it is shown again there. */
  address: string;
  /** The sealed fields; null: nothing was typed, or more than is carried. */
  kept: string | null;
  /** More was typed than is carried along. */
  isTooLong: boolean;
  /** The sign-in form, as the way to sign in draws it; null: it has none to draw here (a hosted provider). */
  form: unknown;
}

/** What the thrown 401 says, for the boundary that draws it; null for any other error. */
export function signedOutOf(error: unknown): SignedOut | null {
  if (!isRouteErrorResponse(error) || error.status !== 401) return null;
  const { signedOut } = (error.data ?? {}) as { signedOut?: SignedOut };
  return signedOut ?? null;
}

/** Above the form that is shown again. */
export const KEPT_WORDS =
  "You are signed in again. This is what you had typed, without passwords and other secrets: nothing of it has been saved yet.";
