import { Link } from "@remix-run/react";
import { X } from "lucide-react";
import { buttonClass } from "../button.tsx";

/** Behind an open drawer or dialog; before the script it is a link to the page without it. */
export function Scrim({ to }: { to: string }) {
  return (
    <Link
      to={to}
      preventScrollReset
      tabIndex={-1}
      aria-hidden="true"
      className="fixed inset-0 z-(--layer-drawer) cursor-default bg-scrim"
    />
  );
}

export function CloseLink({ to, label = "Close" }: { to: string; label?: string }) {
  return (
    <Link
      to={to}
      preventScrollReset
      aria-label={label}
      title={label}
      className={buttonClass({ look: "quiet", icon: true })}
    >
      <X aria-hidden="true" />
    </Link>
  );
}
