import type { ReactNode } from "react";
import { BrandMark } from "./brand.tsx";

/** A few lights on the far shore: position from the left and size, in per cent of the width and pixels. */
const LIGHTS = [
  [6, 1.1],
  [11, 0.8],
  [12.5, 1.3],
  [19, 0.7],
  [27, 1],
  [29, 0.7],
  [38, 0.8],
  [63, 0.8],
  [69, 1.2],
  [70.4, 0.7],
  [81, 0.9],
  [88, 0.7],
  [94, 1.1],
] as const;

/**
 * The frame of every page before sign-in: sea and sky before first light, the title, one card. `foot` is the line
 * under the card ("No account yet? Create account").
 */
export function AuthCard({
  title,
  foot,
  children,
}: {
  title: string;
  foot?: ReactNode;
  children: ReactNode;
}) {
  return (
    <main className="relative grid min-h-dvh overflow-clip bg-linear-to-b from-canvas from-20% to-[light-dark(oklch(0.945_0.016_232),oklch(0.225_0.035_243))] to-72%">
      <Shore />
      <div className="relative m-auto grid w-[min(23rem,calc(100vw-2rem))] content-center gap-5 py-8">
        <div className="grid gap-4">
          <span className="flex items-center gap-2.5 text-lg font-semibold tracking-tight">
            <BrandMark />
            Pilothouse
          </span>
          <h1 className="text-2xl tracking-tight">{title}</h1>
        </div>
        <div className="grid gap-2 rounded-lg border border-line-strong bg-surface p-6 shadow-raised sm:pointer-fine:[--control-height:2.375rem]">
          {children}
        </div>
        {foot ? <p className="text-xs text-muted">{foot}</p> : null}
      </div>
    </main>
  );
}

function Shore() {
  return (
    <svg
      aria-hidden="true"
      className="pointer-events-none absolute inset-x-0 top-[72%] h-[28%] w-full overflow-visible"
    >
      <rect
        width="100%"
        height="100%"
        className="fill-[light-dark(oklch(0.935_0.014_232),oklch(0.178_0.022_248))]"
      />
      <rect width="100%" height="1" className="fill-[light-dark(oklch(0.86_0.02_235),oklch(0.3_0.04_240))]" />
      {LIGHTS.map(([x, r]) => (
        <circle
          key={x}
          cx={`${x}%`}
          r={r}
          className="fill-[light-dark(oklch(0.7_0.03_240),oklch(0.75_0.06_80))]"
        />
      ))}
      <circle
        cx="76.5%"
        r="1.7"
        className="fill-accent drop-shadow-[0_0_6px_light-dark(transparent,var(--color-accent))]"
      />
    </svg>
  );
}

/** A line with a word in it, between two ways to do the same thing. */
export function Or() {
  return (
    <p className="my-2 flex items-center gap-3 text-xs text-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      or
    </p>
  );
}
