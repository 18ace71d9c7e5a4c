/**
 * Pictures of technologies, from @flanksource/icons (MIT). The package is a script of 2.4 MB with a drawing in each of its
 * functions; it is never run. The first question notes where in the file each drawing stands, later ones read that place:
 * a thousand drawings cost 60 kB of memory (docs/decisions/0077).
 */
import { open, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { CHECK_TYPES } from "#app/contract/words/check-types.ts";
import { iconNames } from "./icon-names.ts";

interface Node {
  tag: string;
  attr?: Record<string, string>;
  child?: Node[];
}
/** Where a drawing's JSON begins and how long it is, in bytes. */
type Place = readonly [start: number, length: number];

const FILE = createRequire(import.meta.url).resolve("@flanksource/icons/mi");
const BEGIN = /function (\w+) \(props\) \{\s*return GenIcon\(/g;

/** For what has no picture: a broken outline in a grey that is seen on both themes. */
const NEUTRAL =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#8391a3" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="M22 12h-4l-3 9L9 3l-3 9H2"/></svg>';
/** Drawings without a colour of their own are black on light and light on dark. */
const STYLE = "<style>svg{fill:#4a5566}@media(prefers-color-scheme:dark){svg{fill:#b6c0cd}}</style>";

let places: Promise<ReadonlyMap<string, Place>> | undefined;
const key = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

async function readPlaces(): Promise<ReadonlyMap<string, Place>> {
  const text = await readFile(FILE, "latin1"); // one character a byte, whatever it holds
  const found = new Map<string, Place>();
  for (const match of text.matchAll(BEGIN)) {
    const start = match.index + match[0].length;
    found.set(key(match[1] ?? ""), [start, text.indexOf(")(props)", start) - start]);
  }
  return found;
}

/** The drawing of a name or of a check's type; the neutral one when there is none. Never fails for a name. */
export async function iconSvg(name: string): Promise<string> {
  places ??= readPlaces();
  const known = await places;
  const place = [name, CHECK_TYPES.get(name)?.icon ?? name]
    .flatMap(iconNames)
    .map((one) => known.get(key(one)))
    .find((one) => one !== undefined);
  if (!place) return NEUTRAL;
  const [start, length] = place;
  const file = await open(FILE);
  try {
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, start);
    return drawn(JSON.parse(buffer.toString("utf8")) as Node);
  } finally {
    await file.close();
  }
}

const KEPT = new Set([
  "viewBox",
  "gradientTransform",
  "gradientUnits",
  "preserveAspectRatio",
  "clipPathUnits",
]);
/** React's spelling of an attribute as SVG's. */
const attribute = (name: string) =>
  KEPT.has(name)
    ? name
    : name.replace(/^xlinkHref$/, "href").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function drawn({ tag, attr = {}, child = [] }: Node, isRoot = true): string {
  const own = Object.entries(attr).map(([name, value]) => ` ${attribute(name)}="${escaped(String(value))}"`);
  const space = isRoot ? ' xmlns="http://www.w3.org/2000/svg"' : "";
  const inner = child.map((one) => drawn(one, false)).join("");
  return `<${tag}${space}${own.join("")}>${isRoot ? STYLE : ""}${inner}</${tag}>`;
}
