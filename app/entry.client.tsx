import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";

// Tells the server that this browser runs scripts, so that it may stream; without it pages come complete (STACK P4).
document.cookie = "js=1; path=/; max-age=31536000; samesite=lax";

/** The router gives up a call that a newer press overtakes, and leaves its rejection to nobody. It is no error. */
addEventListener("unhandledrejection", (event) => {
  if (event.reason instanceof DOMException && event.reason.name === "AbortError") event.preventDefault();
});

/**
 * `RemixBrowser` suspends until the page's data is decoded. A key pressed or a button clicked while the root itself is
 * suspended makes React 18 give up for good ("Root did not complete"), so the wait takes place before React begins.
 */
async function untilDecoded(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (waiting) {
    if (waiting instanceof Promise) await waiting;
  }
}

void untilDecoded().then(() =>
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <RemixBrowser />
      </StrictMode>,
    );
  }),
);
