import { useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect, useState } from "react";
import { connection } from "./frame/connection.ts";

/**
 * Re-runs the page's loaders every `seconds`; `0` stops it. Rendered by the page that wants it. A turn that finds the one
 * before unanswered gives that up and asks anew; a hidden tab, somebody on their way elsewhere and a backend that is away
 * (which is asked again with growing pauses anyway) skip their turn. Without script the browser reloads the page instead.
 */
export function Poll({ seconds }: { seconds: number }) {
  const { revalidate } = useRevalidator();
  const isGoing = useNavigation().state !== "idle";
  const [hydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);

  useEffect(() => {
    if (seconds <= 0 || isGoing) return;
    const ask = () => {
      if (document.visibilityState === "visible" && connection.read().trouble === null) revalidate();
    };
    const timer = setInterval(ask, seconds * 1000);
    return () => clearInterval(timer);
  }, [seconds, isGoing, revalidate]);

  if (hydrated || seconds <= 0) return null;
  return (
    <noscript>
      <meta httpEquiv="refresh" content={String(seconds)} />
    </noscript>
  );
}
