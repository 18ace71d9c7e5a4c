import { UserRound, X } from "lucide-react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { createLeanIcon } from "./lean-icon.ts";

const Lean = createLeanIcon("/assets/icons-1.svg#x");

/** Everything about an icon but its shapes, its class names of lucide's own and its namespace, which HTML needs none of. */
const frameOf = (icon: React.ReactElement) =>
  renderToStaticMarkup(icon)
    .replace(/(?<=<svg[^>]*>).*(?=<\/svg>)/, "")
    .replace(/lucide(-[\w-]+)? ?/g, "")
    .replace(' xmlns="http://www.w3.org/2000/svg"', "")
    .replace(/ class=" ?"/, "")
    .split(" ")
    .sort();

test("our icons are lucide's, attribute by attribute", () => {
  expect(frameOf(<Lean className="size-4" />).join()).toContain('class="size-4"');
  for (const props of [{}, { className: "size-4", "aria-hidden": true }, { strokeWidth: 2.5 }] as const) {
    expect(new Set(frameOf(<Lean {...props} />).map(bare))).toEqual(
      new Set(frameOf(<X {...props} />).map(bare)),
    );
    expect(new Set(frameOf(<Lean {...props} />).map(bare))).toEqual(
      new Set(frameOf(<UserRound {...props} />).map(bare)),
    );
  }
});
const bare = (part: string) => part.replace(/(><\/svg>)?$/, "").replace(/></, "");

test("their shapes are in the sprite", () => {
  expect(renderToStaticMarkup(<Lean />)).toContain('<use href="/assets/icons-1.svg#x"></use>');
});
