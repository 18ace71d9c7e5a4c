import { Check, Copy as CopyIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { buttonClass } from "./button.tsx";

/** Specification 1 §8. */
const WORDS = {
  done: "Copied to clipboard",
  failed: "Failed to copy to clipboard",
  unsupported: "Clipboard not available",
} as const;

/** Copies `text`. It needs the script, so it appears with it: without, there is no button that does nothing. */
export function Copy({ text, label = "Copy" }: { text: string; label?: string }) {
  const [state, setState] = useState<"away" | "ready" | keyof typeof WORDS>("away");
  useEffect(() => setState("ready"), []);
  useEffect(() => {
    if (state === "away" || state === "ready") return;
    const timer = setTimeout(() => setState("ready"), 5000);
    return () => clearTimeout(timer);
  }, [state]);
  if (state === "away") return null;

  async function copy() {
    if (!("clipboard" in navigator)) return setState("unsupported");
    await navigator.clipboard.writeText(text).then(
      () => setState("done"),
      () => setState("failed"),
    );
  }
  return (
    <span className="inline-flex items-center gap-1.5 text-xs text-muted">
      <button
        type="button"
        onClick={() => void copy()}
        aria-label={label}
        title={label}
        className={buttonClass({ look: "quiet", size: "small", icon: true })}
      >
        {state === "done" ? <Check aria-hidden="true" /> : <CopyIcon aria-hidden="true" />}
      </button>
      <span aria-live="polite">{state === "ready" ? "" : WORDS[state]}</span>
    </span>
  );
}
