import { Link, useLocation } from "@remix-run/react";
import { X } from "lucide-react";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { buttonClass } from "./button.tsx";
import { cx } from "./parts/cx.ts";
import { Glyph } from "./marks/glyph.tsx";

/** Specification 1 §9: five seconds, at the top right. */
const SECONDS = 5;

export type ToastMessage = { message: string; type: "success" | "error" };

/**
 * What the last write had to say. The region is always in the page, so that its change is announced; without script
 * the message stays until the next page, and its cross is a link there. What is outside an open modal can neither be
 * seen nor heard, so there the region moves inside. A poll takes the message from the page's data before its time is
 * over, so it is kept here: one message per visit of an address.
 */
export function Toasts({ toast }: { toast: ToastMessage | null | undefined }) {
  const { key } = useLocation();
  const said = toast ? { ...toast, visit: `${key} ${toast.type} ${toast.message}` } : null;
  const [shown, setShown] = useState(said);
  if (said && said.visit !== shown?.visit) setShown(said);

  const [modal, setModal] = useState<Element | null>(null);
  useEffect(() => setModal(document.querySelector("dialog:modal")), [key]);
  const region = (
    <div
      role="status"
      className="fixed top-[calc(var(--topbar-height)+0.75rem)] right-4 z-(--layer-toast) w-[min(22rem,calc(100vw-2rem))]"
    >
      {shown ? <Toast key={shown.visit} message={shown.message} type={shown.type} /> : null}
    </div>
  );
  return modal ? createPortal(region, modal) : region;
}

function Toast({ message, type }: ToastMessage) {
  const { pathname, search } = useLocation();
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setGone(true), SECONDS * 1000);
    return () => clearTimeout(timer);
  }, []);
  if (isGone) return null;
  const failed = type === "error";
  return (
    <div
      className={cx(
        "flex animate-arrive items-start gap-3 rounded-md border border-l-3 border-line-strong bg-raised p-3 text-ink shadow-raised",
        failed ? "border-l-unhealthy" : "border-l-healthy",
      )}
    >
      <Glyph name={failed ? "unhealthy" : "done"} tone={failed ? "unhealthy" : "healthy"} className="mt-1" />
      <p className="min-w-0 flex-1 wrap-anywhere">{message}</p>
      <Link
        to={pathname + search}
        aria-label="Dismiss"
        title="Dismiss"
        className={buttonClass({ look: "quiet", size: "small", icon: true, className: "-my-1" })}
        onClick={(event) => {
          event.preventDefault();
          setGone(true);
        }}
      >
        <X aria-hidden="true" />
      </Link>
    </div>
  );
}
