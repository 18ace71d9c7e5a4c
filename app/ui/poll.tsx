import { useRevalidator } from "@remix-run/react";
import { useEffect, useState } from "react";

/**
 * Re-runs the page's loaders every `seconds`; `0` stops it. Rendered by the page that wants it. Without script the
 * browser reloads the page instead, unless `reload` is off: a page with a search box would lose what is being typed.
 */
export function Poll({ seconds, reload = true }: { seconds: number; reload?: boolean }) {
  const { revalidate, state } = useRevalidator();
  const [hydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);

  useEffect(() => {
    if (seconds <= 0 || state !== "idle") return; // never two questions at once
    const ask = () => document.visibilityState === "visible" && revalidate(); // a hidden tab skips its turn
    const timer = setInterval(ask, seconds * 1000);
    return () => clearInterval(timer);
  }, [seconds, state, revalidate]);

  if (hydrated || !reload || seconds <= 0) return null;
  return (
    <noscript>
      <meta httpEquiv="refresh" content={String(seconds)} />
    </noscript>
  );
}
