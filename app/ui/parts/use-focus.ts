import { useEffect } from "react";

const FOCUSABLE = "input:not([type=hidden]), select, textarea, button, a[href]";

/**
 * Puts the focus where the answer to a form wants it: on the element with this id, or on the first control in it. Again
 * for every answer (`round`), and never for a page that was only opened.
 */
export function useFocus(id: string | null, round: number): void {
  useEffect(() => {
    const element = id === null ? null : document.getElementById(id);
    if (!element || round === 0) return;
    const control = element.matches(`${FOCUSABLE}, [tabindex]`)
      ? element
      : element.querySelector<HTMLElement>(FOCUSABLE);
    control?.focus();
  }, [id, round]);
}
