import { useBlocker } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useFocus } from "./parts/use-focus.ts";

const QUESTION = "What you have changed here is not saved. Leave all the same?";

/**
 * What a script adds to a long form: a question before its changes are lost, the focus where the last answer wants it,
 * and one text field that is typed along with another until it is edited itself. Put it inside the form.
 */
export function FormHelper({
  isChanged,
  focus,
  round,
  mirror,
}: {
  /** An answer brought changes back that are not saved yet. */
  isChanged: boolean;
  focus: string | null;
  round: number;
  /** Ids of inputs: `to` says what `from` says. */
  mirror?: { from: string; to: string };
}) {
  const place = useRef<HTMLSpanElement>(null);
  const changed = useRef(isChanged);
  useFocus(focus, round);

  useEffect(() => {
    const form = place.current?.closest("form");
    if (!form) return;
    changed.current = isChanged;
    const touched = () => (changed.current = true);
    const sent = () => (changed.current = false);
    const asked = (event: BeforeUnloadEvent) => changed.current && event.preventDefault();
    form.addEventListener("input", touched);
    form.addEventListener("submit", sent);
    window.addEventListener("beforeunload", asked);
    return () => {
      form.removeEventListener("input", touched);
      form.removeEventListener("submit", sent);
      window.removeEventListener("beforeunload", asked);
    };
  }, [isChanged, round]);

  useBlocker(
    ({ currentLocation, nextLocation }) =>
      changed.current && placeOf(currentLocation) !== placeOf(nextLocation) && !window.confirm(QUESTION),
  );

  const [from, to] = [mirror?.from, mirror?.to];
  useEffect(() => (from && to ? mirrored(from, to) : undefined), [from, to, round]);
  return <span ref={place} hidden />;
}

/** The form's own steps stay at its address. */
const placeOf = ({ pathname, search }: { pathname: string; search: string }) => pathname + search;

/** Types along while the two say the same. */
function mirrored(from: string, to: string): (() => void) | undefined {
  const [source, target] = [document.getElementById(from), document.getElementById(to)];
  if (!(source instanceof HTMLInputElement) || !(target instanceof HTMLInputElement)) return undefined;
  let last = source.value;
  const typed = () => {
    if (target.value === last || target.value === "") target.value = source.value;
    last = source.value;
  };
  source.addEventListener("input", typed);
  return () => source.removeEventListener("input", typed);
}
