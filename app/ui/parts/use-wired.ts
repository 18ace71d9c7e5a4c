import { useEffect, useRef } from "react";

/** Code that gives an element what HTML has no word for, until the signal ends it. `value` is JSON. */
export interface Wiring<E extends HTMLElement> {
  wire(element: E, value: string, signal: AbortSignal): void;
}

/**
 * The ref of an element that is wired by code loaded only when there is something to wire (`value` not null). It is wired
 * anew for another value or another `key`, and for nothing else: a page that looks again must not undo it.
 */
export function useWired<E extends HTMLElement>(
  value: string | null,
  key: string,
  load: () => Promise<Wiring<E>>,
) {
  const element = useRef<E>(null);
  useEffect(() => {
    const place = element.current;
    if (!place || value === null) return;
    const leave = new AbortController();
    void load().then(({ wire }) => {
      if (!leave.signal.aborted) wire(place, value, leave.signal);
    });
    return () => leave.abort();
  }, [value, key, load]);
  return element;
}
