import { useLocation, useSubmit } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";

/** What a form leaves out of the address: a field that is empty or set to "all" (specification 1 §2). */
const filled = (form: HTMLFormElement): [string, string][] =>
  [...new FormData(form)].flatMap(([name, value]): [string, string][] =>
    typeof value === "string" && value !== "" && value !== "all" ? [[name, value]] : [],
  );

const isTicked = ({ type }: HTMLInputElement) => type === "checkbox" || type === "radio";

/** Does the form say something else than the address? */
const isEdited = (form: HTMLFormElement | null, inputs: readonly HTMLInputElement[]): boolean =>
  inputs.some((input) =>
    isTicked(input) ? input.checked !== input.defaultChecked : input.value !== input.defaultValue,
  ) ||
  [...(form?.querySelectorAll("select") ?? [])].some((select) =>
    [...select.selectedOptions].some((option) => !option.defaultSelected),
  );

/** Are these the parameters of the address, in whatever order? */
function isHere(asked: URLSearchParams): boolean {
  const sorted = (from: URLSearchParams) => [...from].map(String).sort().join("&");
  return sorted(asked) === sorted(new URLSearchParams(window.location.search));
}

/** Makes the inputs say what the address says. */
function follow(inputs: readonly HTMLInputElement[]): void {
  for (const input of inputs)
    if (isTicked(input)) input.checked = input.defaultChecked;
    else if (input.value !== input.defaultValue) input.value = input.defaultValue;
}

/**
 * A GET form that submits itself once its reader pauses, also for what was typed or chosen before the script arrived.
 * Submitting by hand cancels the pending one, and so does going anywhere else, or it would undo that. When the address
 * changes from outside (Back, "Clear filters") the inputs follow it.
 *
 * Every change is a step that Back returns from; only what is typed in one go, until the box is left or something else
 * happens, is one step together.
 */
export function useAutoSubmit(delay: number) {
  const submit = useSubmit();
  const { pathname, search } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  /** The address we are going to, while we are: what is typed meanwhile must survive the arrival. */
  const destination = useRef<string>();
  /** The address that typing has led to, as long as the same burst may go on. */
  const typed = useRef<string>();
  const hasArrived = useRef(false);

  const cancel = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
  }, []);
  const submitSoon = useCallback(
    (wait = delay) => {
      cancel();
      const box = wait > 0 ? document.activeElement : null;
      timer.current = setTimeout(() => {
        timer.current = undefined;
        if (!form.current?.checkValidity()) return;
        const asked = new URLSearchParams(filled(form.current));
        const to = asked.size > 0 ? `?${asked}` : "";
        if (destination.current === undefined && isHere(asked)) return; // typed and taken back: no step at all
        const goesOn = typed.current !== undefined && typed.current === window.location.search;
        typed.current = undefined;
        if (box instanceof HTMLInputElement && form.current.contains(box)) {
          typed.current = to;
          box.addEventListener("blur", () => (typed.current = undefined), { once: true });
        }
        destination.current = to;
        submit(asked, { replace: box !== null && goesOn, preventScrollReset: true });
      }, wait);
    },
    [cancel, delay, submit],
  );

  useEffect(() => {
    const inputs = [...(form.current?.querySelectorAll<HTMLInputElement>("input:not([type=hidden])") ?? [])];
    const isOurs = search === destination.current;
    destination.current = undefined;
    if (!hasArrived.current) {
      hasArrived.current = true;
      if (isEdited(form.current, inputs)) submitSoon();
    } else if (!isOurs || !timer.current) {
      cancel();
      follow(inputs);
    }
  }, [pathname, search, cancel, submitSoon]);
  useEffect(() => cancel, [cancel]);

  return { form, submitSoon, cancel };
}
