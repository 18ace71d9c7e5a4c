import { createElement, type SVGProps } from "react";

/** How lucide draws its icons. It stands in the sprite, on each symbol; `stroke` follows the icon's own colour. */
export const ICON_FRAME = {
  viewBox: "0 0 24 24",
  fill: "none",
  stroke: "currentColor",
  "stroke-width": 2,
  "stroke-linecap": "round",
  "stroke-linejoin": "round",
};

/**
 * What lucide-react's own `createLucideIcon` draws of an icon without options, with its shapes and how they are drawn in
 * the sprite instead of in scripts and pages: a page has a hundred icons. The build puts it in that one's place, in the
 * browser and on the server (remix.config.js, decisions 0050 and 0109).
 */
export const createLeanIcon = (href: string) =>
  function LeanIcon(props: SVGProps<SVGSVGElement>) {
    return createElement(
      "svg",
      {
        width: 24,
        height: 24,
        "aria-hidden": "true",
        ...props,
      },
      createElement("use", { href }),
    );
  };
