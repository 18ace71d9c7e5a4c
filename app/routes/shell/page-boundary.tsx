import { Outlet, useRouteError, useRouteLoaderData } from "@remix-run/react";
import { describeError } from "#app/lib/error-view.ts";
import { ErrorPage } from "#app/ui/frame/error-page.tsx";

/**
 * Between the frame and its pages. When a form without script is refused, Remix runs only the loaders above the nearest
 * boundary: with one here the frame has its data, and the refusal is drawn inside it.
 */
export default function PageBoundary() {
  return <Outlet />;
}

/** A page that failed leaves the frame standing. */
export function ErrorBoundary() {
  const root = useRouteLoaderData<{ requestId?: string }>("root");
  return <ErrorPage {...describeError(useRouteError(), root?.requestId)} />;
}
