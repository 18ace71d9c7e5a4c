import { createElement, type SVGProps } from "react";

/**
 * What lucide-react's own `createLucideIcon` draws of an icon without options, with its shapes in the sprite instead of
 * in the scripts. The build puts it in that one's place, in the browser and on the server (remix.config.js, decision 0050).
 */
export const createLeanIcon = (href: string) =>
  function LeanIcon(props: SVGProps<SVGSVGElement>) {
    return createElement(
      "svg",
      {
        width: 24,
        height: 24,
        viewBox: "0 0 24 24",
        fill: "none",
        stroke: "currentColor",
        strokeWidth: 2,
        strokeLinecap: "round",
        strokeLinejoin: "round",
        "aria-hidden": "true",
        ...props,
      },
      createElement("use", { href }),
    );
  };
