import { Outlet, useRouteError, useRouteLoaderData } from "@remix-run/react";
import { SignedOutPart } from "#app/features/identity/signed-out.tsx";
import { describeError } from "#app/lib/error-view.ts";
import { signedOutOf } from "#app/lib/signed-out.ts";
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
  const error = useRouteError();
  const signedOut = signedOutOf(error);
  return signedOut ? (
    <SignedOutPart {...signedOut} />
  ) : (
    <ErrorPage {...describeError(error, root?.requestId)} />
  );
}
