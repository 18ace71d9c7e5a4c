import { useNavigate } from "@remix-run/react";
import { useEffect, useLayoutEffect, useRef } from "react";

/** Layout effects do not run on the server, and React says so aloud; there is nothing to lay out there. */
const useBrowserLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;

/** What is filled in; a secret that is only shown is not. */
const FIELDS = ":is(input:not([type=hidden], [readonly]), select, textarea):enabled";

/**
 * Makes a `<dialog open>` from the server a modal one: backdrop, Escape, focus inside, focus back where it was on
 * leaving. Leaving is going to `closeTo`, by whatever way, because the dialog is open only where the URL says so. With
 * `takesFocus` whoever has a keyboard begins in its first field.
 */
export function useModal(closeTo: string, { takesFocus = false }: { takesFocus?: boolean } = {}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();

  useBrowserLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    element.close(); // rendered open by the server; reopen it as a modal
    element.showModal();
    if (takesFocus && matchMedia("(pointer: fine)").matches)
      element.querySelector<HTMLElement>(FIELDS)?.focus();
    // Closing while the element is still in the page lets the browser return the focus to whoever opened it.
    return () => element.close();
  }, [takesFocus]);

  // Together with showModal: Escape a moment before would close the dialog and leave the address behind.
  useBrowserLayoutEffect(() => {
    const element = dialog.current;
    const leave = () => navigate(closeTo, { preventScrollReset: true });
    const cancelled = (event: Event) => {
      event.preventDefault(); // the URL closes it, and the page behind stays put meanwhile
      leave();
    };
    const pressed = (event: MouseEvent) => event.target === element && leave(); // the backdrop, not what is inside
    element?.addEventListener("cancel", cancelled);
    element?.addEventListener("click", pressed);
    return () => {
      element?.removeEventListener("cancel", cancelled);
      element?.removeEventListener("click", pressed);
    };
  }, [closeTo, navigate]);

  return dialog;
}
