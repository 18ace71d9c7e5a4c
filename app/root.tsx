import { data, type LinksFunction, type LoaderFunctionArgs } from "@remix-run/node";
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLoaderData,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import type { ReactNode } from "react";
import { LOGIN_TITLE } from "#app/contract/words/auth.ts";
import { SignedOutPage } from "#app/features/identity/signed-out.tsx";
import { describeError } from "#app/lib/error-view.ts";
import { titleOf } from "#app/lib/handle.ts";
import { preferencesOf } from "#app/lib/preferences.server.ts";
import { scope } from "#app/lib/scope.server.ts";
import { signedOutOf } from "#app/lib/signed-out.ts";
import { takeToast } from "#app/lib/toast.server.ts";
import { ErrorScreen } from "#app/ui/frame/error-page.tsx";
import { useNonce } from "#app/ui/frame/nonce.ts";
import styles from "#app/ui/theme.css?url";
import { Toasts } from "#app/ui/toast.tsx";

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: styles },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
];

export async function loader({ request }: LoaderFunctionArgs) {
  const { toast, spent } = await takeToast(request);
  const { theme } = preferencesOf(request);
  return data({ toast, theme, requestId: scope().id }, spent ? { headers: { "Set-Cookie": spent } } : {});
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  const matched = titleOf(useMatches());
  const error = useRouteError();
  const title = !error ? matched : signedOutOf(error) ? LOGIN_TITLE : describeError(error).title;
  const theme = useRouteLoaderData<typeof loader>("root")?.theme ?? "system";
  return (
    <html lang="en" data-theme={theme === "system" ? undefined : theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme === "system" ? "light dark" : theme} />
        <title>{title ? `${title} | Pilothouse` : "Pilothouse"}</title>
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function App() {
  const { toast } = useLoaderData<typeof loader>();
  return (
    <>
      <Outlet />
      <Toasts
        toast={toast && { message: toast.message, type: toast.type === "error" ? "error" : "success" }}
      />
    </>
  );
}

export function ErrorBoundary() {
  const root = useRouteLoaderData<typeof loader>("root");
  const error = useRouteError();
  const signedOut = signedOutOf(error);
  return signedOut ? (
    <SignedOutPage {...signedOut} />
  ) : (
    <ErrorScreen {...describeError(error, root?.requestId)} />
  );
}
