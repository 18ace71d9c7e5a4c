import type { z } from "zod";
import { FolderSpec } from "#app/contract/specs/checks/folder.ts";
import { durationMs } from "../../schedule.ts";
import { evaluate } from "../../expressions/index.ts";
import { asksOf } from "../judge.ts";
import { healthy, invalid, runner, unhealthy, type Outcome } from "../runner.ts";
import type { File } from "./places/files.ts";
import { findFiles } from "./places/index.ts";

type Spec = z.output<typeof FolderSpec>;
type Filter = NonNullable<Spec["filter"]>;

/** Files that are kept with a result. */
const LISTED = 100;
/** Files that expressions see: the newest. */
const SEEN = 5000;

/** Passes when the files are as many, as old and as big as they should be, and there is enough space left. */
export const folder = runner({
  spec: FolderSpec,
  async run(spec, context) {
    const { path, filter } = await context.render({ path: spec.path, filter: { since: spec.filter?.since } });
    const now = Date.now();
    const since = filter.since === undefined ? null : instant(filter.since, now);
    if (since === undefined)
      return invalid(
        `filter.since "${filter.since?.trim()}" must be a time like 2006-01-02T15:04:05Z, or now-7d`,
      );

    const found = await findFiles({ ...spec, path }, context);
    if (typeof found === "string") return invalid(found);
    const { files: all, ...space } = found;
    const wanted = all.filter((file) => passes(file, spec.filter, since, now));
    const files = (await byName(wanted, spec.filter?.regex)).sort(
      (a, b) => b.modified.getTime() - a.modified.getTime(),
    );
    const summary = { ...extremes(files), ...space, count: files.length };
    const wrong = [...problemsOf(spec, summary, now)];
    const details = { ...summary, files: files.slice(0, LISTED) };
    const outcome: Outcome = wrong.length === 0 ? healthy(details) : unhealthy(wrong.join("\n"), details);
    if (!asksOf(spec)) return outcome;
    return { ...outcome, environment: { values: { results: { ...summary, files: files.slice(0, SEEN) } } } };
  },
});

interface Summary {
  newest?: File;
  oldest?: File;
  smallest?: File;
  largest?: File;
  /** Of the file system, in bytes; absent when it does not say. */
  size?: number;
  availableSize?: number;
  count: number;
}

function extremes(files: File[]): Partial<Summary> {
  if (files.length === 0) return {};
  const bySize = [...files].sort((a, b) => a.size - b.size);
  return { newest: files[0], oldest: files.at(-1), smallest: bySize[0], largest: bySize.at(-1) };
}

function* problemsOf(spec: Spec, found: Summary, now: number): Generator<string> {
  const { newest, oldest, smallest, largest, count } = found;
  if (spec.minCount !== undefined && count < spec.minCount)
    yield `too few files: ${count}, at least ${spec.minCount} expected`;
  if (spec.maxCount !== undefined && count > spec.maxCount)
    yield `too many files: ${count}, at most ${spec.maxCount} expected`;
  const age = (file: File) => now - file.modified.getTime();
  if (newest && spec.minAge !== undefined && age(newest) < ms(spec.minAge))
    yield `${newest.name} is too new: ${words(age(newest))}, at least ${spec.minAge} expected`;
  if (oldest && spec.maxAge !== undefined && age(oldest) > ms(spec.maxAge))
    yield `${oldest.name} is too old: ${words(age(oldest))}, at most ${spec.maxAge} expected`;
  if (smallest && spec.minSize !== undefined && smallest.size < bytes(spec.minSize))
    yield `${smallest.name} is too small: ${smallest.size} bytes, at least ${spec.minSize} expected`;
  if (largest && spec.maxSize !== undefined && largest.size > bytes(spec.maxSize))
    yield `${largest.name} is too large: ${largest.size} bytes, at most ${spec.maxSize} expected`;
  yield* tooSmall("available size", found.availableSize, spec.availableSize);
  yield* tooSmall("total size", found.size, spec.totalSize);
}

function* tooSmall(what: string, found: number | undefined, wanted: string | undefined): Generator<string> {
  if (wanted === undefined) return;
  if (found === undefined) yield `${what} unknown: this place does not say, at least ${wanted} expected`;
  else if (found < bytes(wanted)) yield `${what} too small: ${found} bytes, at least ${wanted} expected`;
}

function passes(file: File, filter: Filter | undefined, since: number | null, now: number): boolean {
  if (!filter) return true;
  const age = now - file.modified.getTime();
  return (
    (filter.minAge === undefined || age >= ms(filter.minAge)) &&
    (filter.maxAge === undefined || age <= ms(filter.maxAge)) &&
    (since === null || file.modified.getTime() > since) &&
    (filter.minSize === undefined || file.size >= bytes(filter.minSize)) &&
    (filter.maxSize === undefined || file.size <= bytes(filter.maxSize))
  );
}

/** A pattern that somebody else wrote runs where it cannot hold us up: as an expression. */
async function byName(files: File[], regex: string | undefined): Promise<File[]> {
  if (regex === undefined || files.length === 0) return files;
  const names = files.map(({ name }) => name);
  const expr = "names.map(name, name.matches(regex))";
  const { matched } = await evaluate({ values: { names, regex } }, { matched: { expr, as: "value" } });
  if (!matched || "error" in matched) throw new Error(`filter.regex: ${matched?.error ?? "no answer"}`);
  const which = matched.value as boolean[];
  return files.filter((_, index) => which[index]);
}

/** A time, or `now-7d`: milliseconds; undefined when it is neither. */
function instant(text: string, now: number): number | undefined {
  const [, back] = /^now(?:-(\S+))?$/.exec(text.trim()) ?? [];
  if (text.trim() === "now") return now;
  if (back !== undefined) {
    const length = durationMs(back);
    return length === null ? undefined : now - length;
  }
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

const ms = (duration: string) => durationMs(duration) ?? 0;
const words = (age: number) => {
  const units: [number, string][] = [
    [86_400_000, "d"],
    [3_600_000, "h"],
    [60_000, "m"],
    [1000, "s"],
  ];
  const [size, unit] = units.find(([size]) => age >= size) ?? [1, "ms"];
  return `${Math.floor(age / size)}${unit}`;
};

/** `10MB`, `2Gi`, `500`: bytes. */
function bytes(text: string): number {
  const [, number = "0", unit = ""] = /^\s*([\d.]+)\s*([kmgt]?)/i.exec(text) ?? [];
  return Number(number) * 1024 ** " kmgt".indexOf(unit.toLowerCase() || " ");
}
