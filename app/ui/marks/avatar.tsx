import { UserRound } from "lucide-react";
import { initials } from "#app/lib/format/initials.ts";
import { cx } from "../parts/cx.ts";

const HUES = [
  "bg-[color-mix(in_oklab,var(--color-series-1)_24%,var(--color-surface))]",
  "bg-[color-mix(in_oklab,var(--color-series-2)_24%,var(--color-surface))]",
  "bg-[color-mix(in_oklab,var(--color-series-3)_24%,var(--color-surface))]",
  "bg-[color-mix(in_oklab,var(--color-series-4)_24%,var(--color-surface))]",
  "bg-[color-mix(in_oklab,var(--color-series-5)_24%,var(--color-surface))]",
];

/** The same person has the same colour everywhere. */
const hueOf = (name: string) =>
  HUES[[...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % HUES.length];

/** What the page's policy lets a browser load: a picture of our own, or one inside the address itself. */
const OURS = /^(\/(?!\/)|data:image\/(png|jpeg|gif|webp|avif);base64,)/;

/**
 * A person's picture where it may be shown, else at most two initials; for the eye only, so the name must stand beside
 * it or in the control's label. No picture is asked of anybody else: that would tell them who looks at whom.
 */
export function Avatar({ name, image }: { name: string; image?: string | null }) {
  if (image && OURS.test(image))
    return (
      <img
        src={image}
        alt=""
        width={24}
        height={24}
        loading="lazy"
        className="size-6 flex-none rounded-full object-cover"
      />
    );
  return (
    <span
      aria-hidden="true"
      className={cx(
        "inline-grid size-6 flex-none place-items-center rounded-full text-[0.625rem] leading-none font-semibold tracking-wide text-ink",
        hueOf(name),
      )}
    >
      {initials(name) || <UserRound className="size-3.5" />}
    </span>
  );
}
