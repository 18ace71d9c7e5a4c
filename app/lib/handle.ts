import type { ReactNode } from "react";

/**
 * `export const handle` of a page: what the shell and the document need to know about it. Functions get the page's
 * loader data, or undefined when its loader failed.
 */
export interface Handle {
  /** Shown as `{title} | Pilothouse`. */
  title?: string | ((data: unknown) => string | undefined);
  /** One step of the breadcrumb. */
  crumb?: {
    label: string | ((data: unknown) => string | undefined);
    to?: string;
    /** The step before it, where no route around the page stands for it. */
    under?: (data: unknown) => { label: string; to: string } | undefined;
  };
  /** Shows the refresh button in the top bar. */
  refresh?: boolean;
  /** Page extras at the right of the top bar. */
  extras?: (data: unknown) => ReactNode;
}

/** The title of the innermost match that has one. */
export function titleOf(matches: readonly { handle?: unknown; data?: unknown }[]): string | undefined {
  for (const { handle, data } of [...matches].reverse()) {
    const title = (handle as Handle | undefined)?.title;
    const words = typeof title === "function" ? title(data) : title;
    if (words) return words;
  }
  return undefined;
}
