import { useEffect } from "react";
import { LINK } from "./button.tsx";

/** Leads to another address by itself, with a script and without; the link is for whoever has switched that off. */
export function GoOn({ to, children }: { to: string; children: React.ReactNode }) {
  useEffect(() => window.location.replace(to), [to]);
  return (
    <>
      <noscript>
        <meta httpEquiv="refresh" content={`0;url=${to}`} />
      </noscript>
      <a href={to} rel="noreferrer" className={LINK}>
        {children}
      </a>
    </>
  );
}
