import { useEffect, useRef, type ReactNode } from "react";
import { buttonClass } from "./button.tsx";
import { cx } from "./parts/cx.ts";

/**
 * A menu is a `<details>`: it opens without script, and one name makes the page's menus exclusive. The script closes it
 * on Escape, on a press outside and when one of its links or buttons was used.
 */
export function Menu({
  label,
  trigger,
  look = "quiet",
  icon = true,
  align = "end",
  className,
  children,
}: {
  /** What the button is called; `trigger` is what it shows. */
  label: string;
  trigger: ReactNode;
  look?: "quiet" | "secondary";
  icon?: boolean;
  align?: "start" | "end";
  className?: string;
  children: ReactNode;
}) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const element = details.current;
    const close = () => element?.removeAttribute("open");
    const pressed = (event: MouseEvent) => {
      const target = event.target as Element;
      const inside = element?.contains(target);
      if (!inside || target.closest("a, button")) setTimeout(close); // after the click has done its work
    };
    const keyed = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !element?.open) return;
      close();
      element.querySelector("summary")?.focus();
    };
    document.addEventListener("click", pressed);
    document.addEventListener("keydown", keyed);
    return () => {
      document.removeEventListener("click", pressed);
      document.removeEventListener("keydown", keyed);
    };
  }, []);
  return (
    <details ref={details} name="menu" className={cx("group/menu relative inline-flex", className)}>
      <summary
        aria-label={label}
        title={label}
        className={buttonClass({ look, icon, className: "group-open/menu:bg-pressed" })}
      >
        {trigger}
      </summary>
      <div
        className={cx(
          "absolute top-[calc(100%+4px)] z-(--layer-menu) grid w-max min-w-48 max-w-[min(22rem,calc(100vw-2rem))] animate-arrive rounded-lg border border-line-strong bg-raised p-1 whitespace-nowrap text-ink shadow-raised",
          align === "end" ? "right-0" : "left-0",
          // On a phone every menu is a sheet at the bottom: nothing clips it and the thumb reaches it.
          "max-sm:fixed max-sm:inset-x-0 max-sm:top-auto max-sm:bottom-0 max-sm:max-h-[70dvh] max-sm:w-auto max-sm:max-w-none max-sm:overflow-y-auto max-sm:rounded-b-none max-sm:border-x-0 max-sm:border-b-0 max-sm:p-3 max-sm:pb-5 max-sm:shadow-[0_0_0_100vmax_var(--color-scrim)]",
        )}
      >
        {children}
      </div>
    </details>
  );
}

/** The look of a line in a menu, for a link or a button. */
export const MENU_ITEM =
  "flex w-full min-h-7.5 items-center gap-2 rounded-sm px-2 text-start hover:bg-pressed focus-visible:-outline-offset-2 pointer-coarse:min-h-11 max-sm:min-h-11 [&>svg]:size-4 [&>svg]:flex-none [&>svg]:text-muted";

export function MenuHead({ children }: { children: ReactNode }) {
  return <p className="px-2 py-1.5 text-xs text-faint">{children}</p>;
}

export function MenuRule() {
  return <hr className="-mx-1 my-1 border-t border-line" />;
}
