import { UserRound, X } from "lucide-react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { createLeanIcon } from "./lean-icon.ts";

const LeanX = createLeanIcon({
  name: "x",
  node: [
    ["path", { d: "M18 6 6 18" }],
    ["path", { d: "m6 6 12 12" }],
  ],
});
const LeanUser = createLeanIcon({
  name: "user-round",
  aliases: ["user-2"],
  node: [
    ["circle", { cx: "12", cy: "8", r: "5" }],
    ["path", { d: "M20 21a8 8 0 0 0-16 0" }],
  ],
});

test("the browser's icons are the server's, attribute by attribute", () => {
  const same = (lean: React.ReactElement, original: React.ReactElement) =>
    expect(renderToStaticMarkup(lean)).toBe(renderToStaticMarkup(original));
  same(<LeanX />, <X />);
  same(<LeanX aria-hidden="true" className="size-4" />, <X aria-hidden="true" className="size-4" />);
  same(<LeanUser strokeWidth={2.5} />, <UserRound strokeWidth={2.5} />);
});
