import { redirect } from "@remix-run/node";

/**
 * A GET form without script sends every field, also the empty ones and those set to "all", which the specification
 * keeps out of the address (1 §2), and one of radios a field for each option (`labels.eu-west=1`). Redirects to `canonical`, the page's own spelling of the same search, so that a
 * copied link is the short one.
 */
export function tidy(request: Request, canonical: string): void {
  const { searchParams } = new URL(request.url);
  const isOdd = ([name, value]: [string, string]) =>
    value === "" || value.toLowerCase() === "all" || name.includes(".");
  if ([...searchParams].some(isOdd)) throw redirect(canonical);
}
