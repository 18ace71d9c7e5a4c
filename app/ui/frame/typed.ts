/**
 * What somebody has typed into a form that writes and has not sent yet. A page that holds such text is not led away from
 * by anything but its reader (docs/decisions/0113).
 */
const typed = new WeakSet<HTMLFormElement>();
/** Sent, and not answered yet. */
const sent = new Set<HTMLFormElement>();

/** Asked of the attribute: a form may have a field named "method", which would hide its property. */
export const writes = (form: HTMLFormElement): boolean =>
  form.getAttribute("method")?.toLowerCase() === "post";

/** Is there text on the page that a change of page would take away? */
export const isTyped = (): boolean => [...document.forms].some((form) => typed.has(form));

/** What was sent has been taken: it is nobody's loss any more. */
export function typedIsTaken(): void {
  for (const form of sent) typed.delete(form);
  sent.clear();
}

/** Listens while the frame stands; the result ends it. Editors count: their text is entered into the document as well. */
export function watchTyped(): () => void {
  const entered = ({ target }: Event) => {
    const form = target instanceof Element ? target.closest("form") : null;
    if (form && writes(form)) typed.add(form);
  };
  const submitted = ({ target }: Event) => {
    if (target instanceof HTMLFormElement && typed.has(target)) sent.add(target);
  };
  const emptied = ({ target }: Event) => {
    if (target instanceof HTMLFormElement) typed.delete(target);
  };
  document.addEventListener("input", entered);
  document.addEventListener("submit", submitted);
  document.addEventListener("reset", emptied);
  return () => {
    document.removeEventListener("input", entered);
    document.removeEventListener("submit", submitted);
    document.removeEventListener("reset", emptied);
  };
}
