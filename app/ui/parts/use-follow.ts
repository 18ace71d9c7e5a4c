import { useEffect, useRef, type RefObject } from "react";

/**
 * Inputs whose value is the address's: when it changes under them (Back, "Clear filters") they follow. What was chosen
 * before the script arrived is not undone. `follow` sets the inputs inside the element.
 */
export function useFollow<E extends HTMLElement>(value: string, follow: (element: E) => void): RefObject<E> {
  const element = useRef<E>(null);
  const followed = useRef(value);
  const apply = useRef(follow);
  apply.current = follow;
  useEffect(() => {
    if (!element.current || followed.current === value) return;
    followed.current = value;
    apply.current(element.current);
  }, [value]);
  return element;
}
