import type { ShouldRevalidateFunction } from "@remix-run/react";

/**
 * `export const shouldRevalidate` of a page whose forms compare versions: after a conflict (409) its data is read anew,
 * which Remix leaves out after refusals, so that saving once more is meant for what is there now.
 */
export const afterConflict: ShouldRevalidateFunction = ({ actionStatus, defaultShouldRevalidate }) =>
  actionStatus === 409 || defaultShouldRevalidate;
