import { Link, type LinkProps } from "@remix-run/react";
import type { ButtonHTMLAttributes } from "react";
import { cx } from "./parts/cx.ts";

export type ButtonLook = "primary" | "secondary" | "danger" | "quiet";
type Style = { look?: ButtonLook; size?: "normal" | "small"; icon?: boolean; className?: string | undefined };

const LOOKS: Record<ButtonLook, string> = {
  primary: "border-transparent bg-accent text-on-accent hover:bg-accent-hover active:bg-accent-hover",
  secondary:
    "border-line-strong bg-surface text-ink shadow-control hover:border-control hover:bg-hover active:bg-pressed [&>svg]:text-muted",
  danger: "border-transparent bg-danger text-on-danger hover:bg-danger-hover active:bg-danger-hover",
  quiet: "border-transparent text-ink hover:bg-pressed [&>svg]:text-muted",
};

/** One primary button a screen: the thing this page is for. `icon` is a square button: give it an aria-label. */
export function buttonClass({ look = "secondary", size = "normal", icon = false, className }: Style = {}) {
  const small = size === "small";
  return cx(
    "inline-flex flex-none items-center justify-center gap-1.75 rounded-md border font-medium whitespace-nowrap transition-colors",
    "disabled:cursor-not-allowed disabled:opacity-55 aria-busy:[&>svg]:animate-turn [&>svg]:size-4 [&>svg]:flex-none",
    small ? "min-h-(--control-height-small) text-xs" : "min-h-(--control-height)",
    icon ? (small ? "w-(--control-height-small)" : "w-(--control-height)") : small ? "px-2" : "px-3",
    LOOKS[look],
    className,
  );
}

export function Button({
  look,
  size,
  icon,
  className,
  ...rest
}: Style & ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button {...rest} className={buttonClass({ look, size, icon, className } as Style)} />;
}

/** A link that looks like a button: it goes somewhere, so it can be opened in a new tab. */
export function ButtonLink({ look, size, icon, className, ...rest }: Style & LinkProps) {
  return <Link {...rest} className={buttonClass({ look, size, icon, className } as Style)} />;
}

/** Links in running text are underlined; links that are the whole cell or heading are not. */
export const LINK =
  "text-accent-ink underline decoration-current/40 underline-offset-[0.2em] hover:decoration-current";

/** A link that stands by itself, in no sentence: as tall as a pointer or a thumb needs. */
export const LONE_LINK = `${LINK} inline-flex min-h-6 items-center justify-self-start pointer-coarse:min-h-11 max-sm:min-h-11`;
