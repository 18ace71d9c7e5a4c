/** Paths as Go's filepath has them on Linux, by their text alone: nothing is read. */
import { posix } from "node:path";
import type { CelFunc } from "@bufbuild/cel";
import { globMatches } from "../../glob.ts";
import { want } from "../values.ts";
import { plain, type Value } from "./define.ts";

/** The shortest way to write a path; Go drops the slash at the end. */
function clean(path: string): string {
  const normal = posix.normalize(path);
  return normal.length > 1 && normal.endsWith("/") ? normal.slice(0, -1) : normal;
}

function base(path: string): string {
  if (path === "") return ".";
  return posix.basename(path) || "/";
}

const extension = (path: string) => /\.[^./]*$/.exec(path)?.[0] ?? "";
const split = (path: string) => {
  const at = path.lastIndexOf("/") + 1;
  return [path.slice(0, at), path.slice(at)];
};

function relative(from: string, to: string): string {
  if (posix.isAbsolute(from) !== posix.isAbsolute(to))
    throw new Error(`${to} cannot be made relative to ${from}`);
  return posix.relative(posix.resolve("/", from), posix.resolve("/", to)) || ".";
}

const text = (name: string, work: (path: string) => string | boolean | string[]) =>
  plain(`filepath.${name}`, 1, (path: Value) => work(want.text(path)));

export const paths: CelFunc[] = [
  ...text("Base", base),
  ...text("Clean", clean),
  ...text("Dir", (path) => clean(split(path)[0] || ".")),
  ...text("Ext", extension),
  ...text("FromSlash", (path) => path),
  ...text("ToSlash", (path) => path),
  ...text("IsAbs", (path) => path.startsWith("/")),
  ...text("Split", split),
  ...text("VolumeName", () => ""),
  ...plain("filepath.Join", 1, (parts) => {
    const given = want
      .list(parts)
      .map(want.text)
      .filter((part) => part !== "");
    return given.length === 0 ? "" : clean(given.join("/"));
  }),
  ...plain("filepath.Match", 2, (pattern, name) => globMatches(want.text(pattern), want.text(name))),
  ...plain("filepath.Rel", 2, (from, to) => relative(want.text(from), want.text(to))),
];
