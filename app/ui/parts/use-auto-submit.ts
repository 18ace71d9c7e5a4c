import { useLocation, useSubmit } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";

/** What a form leaves out of the address: a field that is empty or set to "all" (specification 1 §2). */
const filled = (form: HTMLFormElement): [string, string][] =>
  [...new FormData(form)].flatMap(([name, value]): [string, string][] =>
    typeof value === "string" && value !== "" && value !== "all" ? [[name, value]] : [],
  );

/** Does the form say something else than the address? */
const isEdited = (form: HTMLFormElement | null, inputs: readonly HTMLInputElement[]): boolean =>
  inputs.some((input) => input.value !== input.defaultValue) ||
  [...(form?.querySelectorAll("select") ?? [])].some((select) =>
    [...select.selectedOptions].some((option) => !option.defaultSelected),
  );

/**
 * A GET form that submits itself once its reader pauses, also for what was typed or chosen before the script arrived. Submitting
 * by hand cancels the pending one, and so does going anywhere else, or it would undo that. When the address changes
 * from outside (Back, "Clear filters") the inputs follow it.
 */
export function useAutoSubmit(delay: number) {
  const submit = useSubmit();
  const { pathname, search } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  /** The address we are going to, while we are: what is typed meanwhile must survive the arrival. */
  const destination = useRef<string>();
  const hasArrived = useRef(false);

  const cancel = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
  }, []);
  const submitSoon = useCallback(
    (wait = delay) => {
      cancel();
      timer.current = setTimeout(() => {
        timer.current = undefined;
        if (!form.current?.checkValidity()) return;
        const asked = new URLSearchParams(filled(form.current));
        destination.current = asked.size > 0 ? `?${asked}` : "";
        submit(asked, { replace: true, preventScrollReset: true });
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
      for (const input of inputs) input.value = input.defaultValue;
    }
  }, [pathname, search, cancel, submitSoon]);
  useEffect(() => cancel, [cancel]);

  return { form, submitSoon, cancel };
}
