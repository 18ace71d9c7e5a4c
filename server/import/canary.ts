/** Canary manifests as people have them (facts: engines §3.1). Pure. */
import { CANARY_SETTINGS, CanarySpec, checkKinds } from "#app/contract/specs/checks/index.ts";
import { CHECK_TYPES, checkTypeName, nearestCheckType, notRunHere } from "#app/contract/words/check-types.ts";
import { parseSchedule } from "#server/engines/schedule.ts";
import type { Part, Path } from "./documents.ts";
import { entryOf, isFields, Refusal, textOf, type Entry, type Fields, type WantedCanary } from "./entry.ts";
import { refuseWhatJsonCannotHold } from "./json-safe.ts";

const API = "canaries.flanksource.com/v1";
/** Annotations that tools leave behind and that say nothing about the canary. */
const NOISE = [/^kubectl\.kubernetes\.io\//];
type Warn = (path: Path, message: string) => void;

/** Is it meant as one? Without a kind: something with a name and a spec. */
export function isCanary(value: unknown): value is Fields {
  if (!isFields(value)) return false;
  return value["kind"] === undefined
    ? isFields(value["metadata"]) && "spec" in value
    : value["kind"] === "Canary";
}

/** Takes what can be understood; says what reads otherwise here; refuses what could never run, with its place. */
export function readCanary(part: Part): Entry {
  const given = part.value as Fields;
  const metadata = isFields(given["metadata"]) ? given["metadata"] : {};
  const title = [textOf(metadata["namespace"]), textOf(metadata["name"])].filter(Boolean).join("/");
  return entryOf(part, title || "Canary", (warn) => {
    if (given["apiVersion"] !== undefined && given["apiVersion"] !== API)
      warn(["apiVersion"], `the version is read as ${API}`);
    refuseWhatJsonCannotHold(part);
    return {
      name: nameOf(part, metadata),
      namespace: textOf(metadata["namespace"]) ?? "default",
      labels: textsOf(part, ["metadata", "labels"], metadata["labels"]),
      annotations: withoutNoise(textsOf(part, ["metadata", "annotations"], metadata["annotations"])),
      spec: readSpec(part, given["spec"], warn),
    };
  });
}

function nameOf(part: Part, metadata: Fields): string {
  const name = textOf(metadata["name"]);
  if (name) return name;
  throw new Refusal(part.remark(["metadata", "name"], "metadata.name is required"));
}

/** A map of text to text; numbers and flags become text, as elsewhere. */
function textsOf(part: Part, path: Path, given: unknown): Record<string, string> {
  if (given === undefined || given === null) return {};
  if (!isFields(given))
    throw new Refusal(part.remark(path, `${path.join(".")} must be a map of text to text`));
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (["string", "number", "boolean"].includes(typeof value)) return [name, String(value)];
      if (value === null) return [name, ""];
      throw new Refusal(part.remark([...path, name], `${[...path, name].join(".")} must be text`));
    }),
  );
}

const withoutNoise = (annotations: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(annotations).filter(([name]) => !NOISE.some((noise) => noise.test(name))),
  );

/** The settings and the lists of checks, each under the name it is run by. */
function readSpec(part: Part, given: unknown, warn: Warn): Fields {
  if (!isFields(given))
    throw new Refusal(part.remark(["spec"], "spec is required: a map with lists of checks"));
  const settings = Object.fromEntries(
    Object.entries(given).filter(([key, value]) => CANARY_SETTINGS.has(key) && value !== null),
  );
  checkSettings(part, settings);
  const spec: Fields = { ...settings };
  for (const [word, value] of Object.entries(given)) {
    if (CANARY_SETTINGS.has(word) || value === null) continue;
    const type = checkTypeName(word);
    const entries = readEntries(part, ["spec", word], type, value, warn);
    const before = Array.isArray(spec[type]) ? (spec[type] as unknown[]) : [];
    if (before.length > 0)
      warn(["spec", word], `${word} is another word for ${type}: both lists are taken together`);
    if (entries.length > 0) spec[type] = [...before, ...entries];
  }
  if (!settings["schedule"] && !settings["interval"] && hasScheduled(spec))
    warn(
      ["spec"],
      "there is neither a schedule nor an interval: its checks run only when somebody runs them",
    );
  return spec;
}

/** Checks that somebody else drives need no schedule. */
const hasScheduled = (spec: Fields) =>
  Object.keys(spec).some((type) => !CANARY_SETTINGS.has(type) && type !== "heartbeat");

function checkSettings(part: Part, settings: Fields): void {
  const parsed = CanarySpec.safeParse(settings);
  const issue = parsed.success ? null : parsed.error.issues[0];
  if (issue)
    throw new Refusal(
      part.remark(["spec", ...(issue.path as Path)], `${issue.path.join(".")}: ${issue.message}`),
    );
  if (settings["webhook"] !== undefined && !isFields(settings["webhook"]))
    throw new Refusal(part.remark(["spec", "webhook"], "webhook must be a map with a name and a token"));
  const { schedule } = settings;
  if (typeof schedule !== "string") return;
  try {
    parseSchedule(schedule);
  } catch (error) {
    throw new Refusal(
      part.remark(["spec", "schedule"], error instanceof Error ? error.message : String(error)),
    );
  }
}

function readEntries(part: Part, path: Path, type: string, value: unknown, warn: Warn): unknown[] {
  const word = String(path.at(-1));
  if (!CHECK_TYPES.has(type)) {
    const near = nearestCheckType(word);
    const meant = near ? `: ${near} is meant?` : "";
    throw new Refusal(part.remark(path, `${word} is no type of check${meant}`));
  }
  if (!Array.isArray(value)) throw new Refusal(part.remark(path, `${word} must be a list of checks`));
  const unrun = notRunHere(type);
  if (unrun && value.length > 0) warn(path, `${unrun} It is kept, and shown without a result.`);
  return value.map((entry: unknown, index) => {
    const at = [...path, index];
    if (!isFields(entry)) throw new Refusal(part.remark(at, "a check must be a map of fields"));
    const named = withName(entry, `${type} ${index + 1}`);
    if (named !== entry) warn(at, `it has no name: it is called ${String(named["name"])}`);
    checkEntry(part, at, type, named, warn);
    return named;
  });
}

function withName(entry: Fields, name: string): Fields {
  const given = textOf(entry["name"]);
  if (given === null) return { ...entry, name };
  return typeof entry["name"] === "string" ? entry : { ...entry, name: given };
}

/** A field nobody knows costs the check its result and not the file; a value that is wrong is sent back. */
function checkEntry(part: Part, path: Path, type: string, entry: Fields, warn: Warn): void {
  const parsed = checkKinds.get(type)?.spec.safeParse(entry);
  if (!parsed || parsed.success) return;
  for (const issue of parsed.error.issues) {
    const at = [...path, ...(issue.path as Path)];
    if (issue.code !== "unrecognized_keys")
      throw new Refusal(
        part.remark(at, `${[...path.slice(1), ...(issue.path as Path)].join(".")}: ${issue.message}`),
      );
    for (const key of issue.keys)
      warn(
        [...at, key],
        `${key} is no field of ${type} checks: the check fails and says so until it is removed`,
      );
  }
}

/** The canary as the wizard, the editor and the engine know it; for readers of other formats. */
export function checkedSpec(part: Part, at: Path, canary: WantedCanary): WantedCanary {
  for (const [type, entries] of Object.entries(canary.spec)) {
    if (CANARY_SETTINGS.has(type) || !Array.isArray(entries)) continue;
    for (const entry of entries) {
      const parsed = checkKinds.get(type)?.spec.safeParse(entry);
      const issue = parsed && !parsed.success ? parsed.error.issues[0] : undefined;
      if (issue) throw new Refusal(part.remark(at, `${type} ${issue.path.join(".")}: ${issue.message}`));
    }
  }
  return canary;
}
