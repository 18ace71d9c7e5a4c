import { createElement, type SVGProps } from "react";

/** An icon of lucide as its module has it: its name, former names, and its shapes. */
interface IconData {
  name: string;
  aliases?: readonly string[];
  node: readonly (readonly [tag: string, attributes: Record<string, string>])[];
}

/**
 * What lucide-react's own `createLucideIcon` draws of an icon without options, and nothing else. The build puts it in
 * that one's place in the browser, where the options we never use weighed more than all our icons (decision 0050); the
 * server draws the same attributes with the original.
 */
export const createLeanIcon = ({ name, aliases = [], node }: IconData) =>
  function LeanIcon({ className, ...rest }: SVGProps<SVGSVGElement>) {
    const names = ["lucide", ...[name, ...aliases].map((one) => `lucide-${one}`), className];
    return createElement(
      "svg",
      {
        xmlns: "http://www.w3.org/2000/svg",
        width: 24,
        height: 24,
        viewBox: "0 0 24 24",
        fill: "none",
        stroke: "currentColor",
        strokeWidth: 2,
        strokeLinecap: "round",
        strokeLinejoin: "round",
        className: names.filter(Boolean).join(" "),
        "aria-hidden": "true",
        ...rest,
      },
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
    );
  };
