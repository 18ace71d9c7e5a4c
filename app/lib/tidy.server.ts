import { redirect } from "@remix-run/node";

/**
 * A GET form without script sends every field, also the empty ones and those set to "all", which the specification
 * keeps out of the address (1 §2). Redirects to `canonical`, the page's own spelling of the same search, so that a
 * copied link is the short one.
 */
export function tidy(request: Request, canonical: string): void {
  const { searchParams } = new URL(request.url);
  if ([...searchParams.values()].some((value) => value === "" || value.toLowerCase() === "all"))
    throw redirect(canonical);
}
