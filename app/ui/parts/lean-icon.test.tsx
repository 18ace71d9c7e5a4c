import { UserRound, X } from "lucide-react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { createLeanIcon, ICON_FRAME } from "./lean-icon.ts";

const Lean = createLeanIcon("/assets/icons-1.svg#x");

/** Everything about an icon but its shapes, its class names of lucide's own and its namespace, which HTML needs none of. */
const frameOf = (icon: React.ReactElement): string[] => {
  const [, attributes = ""] = /^<svg([^>]*)>/.exec(renderToStaticMarkup(icon)) ?? [];
  return [...attributes.matchAll(/ ([\w-]+)="([^"]*)"/gi)]
    .map(([, name = "", value = ""]) => `${name}=${value.replace(/lucide(-[\w-]+)? ?/g, "").trim()}`)
    .filter((part) => part !== "class=" && !part.startsWith("xmlns="));
};

test("our icons with the sprite's frame are lucide's, attribute by attribute", () => {
  const frame = Object.entries(ICON_FRAME).map(([name, value]) => `${name}=${value}`);
  for (const props of [{}, { className: "size-4", "aria-hidden": true }] as const)
    for (const theirs of [<X {...props} />, <UserRound {...props} />])
      expect([...frameOf(<Lean {...props} />), ...frame].sort()).toEqual(frameOf(theirs).sort());
});

test("their shapes are in the sprite", () => {
  expect(renderToStaticMarkup(<Lean />)).toContain('<use href="/assets/icons-1.svg#x"></use>');
});
