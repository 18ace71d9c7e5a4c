/** Backups of Uptime Kuma (JSON) → canaries: each monitor is one, groups and tags are labels. Pure. */
import type { Remark } from "#app/contract/rows/import-report.ts";
import { checkedSpec } from "./canary.ts";
import type { Part } from "./documents.ts";
import { entryOf, isFields, skippedEntry, textOf, type Entry, type Fields, type Reading } from "./entry.ts";
import { checkOf } from "./kuma-types.ts";
import { refuseWhatJsonCannotHold } from "./json-safe.ts";
import { uniqueNames } from "./names.ts";

const DEFAULT_INTERVAL_S = 60;

/** A backup has its monitors in a list, some versions in a map by number. */
export const isKuma = (value: unknown): value is Fields =>
  isFields(value) && typeof value["monitorList"] === "object";

export function readKuma(part: Part): Pick<Reading, "entries" | "notes"> {
  const backup = part.value as Fields;
  const list = backup["monitorList"];
  const monitors: [string | number, unknown][] = Array.isArray(list)
    ? [...list.entries()]
    : Object.entries(list ?? {});
  const groups = groupNames(monitors.map(([, monitor]) => (isFields(monitor) ? monitor : {})));
  const context = { name: uniqueNames(), groups, people: notificationNames(backup) };
  return {
    entries: monitors.map(([key]) => readMonitor(part.inside(["monitorList", key]), context)),
    notes: notesOf(part, backup),
  };
}

interface Context {
  name(words: string): string;
  /** The group a number stands for, with those around it: `production / web`. */
  groups: ReadonlyMap<string, string>;
  people: ReadonlyMap<string, string>;
}

function readMonitor(part: Part, { name, groups, people }: Context): Entry {
  const monitor = isFields(part.value) ? part.value : {};
  const title = textOf(monitor["name"]) ?? "Monitor";
  if (monitor["type"] === "group")
    return skippedEntry(part, title, "a group is a label of its monitors here");
  return entryOf(part, title, (warn) => {
    refuseWhatJsonCannotHold(part);
    const { type, schedule = true, ...check } = checkOf(part, monitor, warn);
    remarksOn(monitor, people, warn);
    const group = groups.get(String(monitor["parent"] ?? ""));
    const interval = Number(monitor["interval"]) || DEFAULT_INTERVAL_S;
    const common = { name: title, description: textOf(monitor["description"]) ?? undefined };
    const entry = JSON.parse(JSON.stringify({ ...common, ...check })) as Fields; // without what is undefined
    return checkedSpec(part, [], {
      name: name(title),
      namespace: "default",
      labels: { ...tagsOf(monitor["tags"]), ...(group ? { group } : {}) },
      annotations: isOff(monitor["active"]) ? { suspend: "true" } : {},
      spec: { ...(schedule ? { schedule: `@every ${interval}s` } : {}), [type]: [entry] },
    });
  });
}

const isOff = (active: unknown) => active === false || active === 0;

function remarksOn(
  monitor: Fields,
  people: ReadonlyMap<string, string>,
  warn: (path: string[], message: string) => void,
): void {
  const told = isFields(monitor["notificationIDList"])
    ? Object.entries(monitor["notificationIDList"]).flatMap(([id, on]) => (on ? [people.get(id) ?? id] : []))
    : [];
  const retries = Number(monitor["maxretries"]) || 0;
  const after = retries > 0 ? ` (after ${retries + 1} failures in a row)` : "";
  if (told.length > 0)
    warn(
      ["notificationIDList"],
      `notifications (${told.join(", ")}) are not imported: set them at the check, under Notify${after}`,
    );
  else if (retries > 0)
    warn(
      ["maxretries"],
      `retries have no counterpart: each failure counts, and Notify can wait for ${retries + 1} of them`,
    );
  if (monitor["proxyId"]) warn(["proxyId"], "proxies have no counterpart: the check asks directly");
}

/** Tags with a value are labels; those without are labels that say true. */
function tagsOf(given: unknown): Record<string, string> {
  const tags = Array.isArray(given) ? given.filter(isFields) : [];
  return Object.fromEntries(
    tags.flatMap((tag) => {
      const name = textOf(tag["name"]);
      return name ? [[name, textOf(tag["value"]) ?? "true"]] : [];
    }),
  );
}

function groupNames(monitors: Fields[]): Map<string, string> {
  const groups = new Map(
    monitors.filter(({ type }) => type === "group").map((group) => [String(group["id"]), group]),
  );
  const nameOf = (id: string, below: readonly string[] = []): string => {
    const group = groups.get(id);
    if (!group || below.includes(id)) return "";
    const above = nameOf(String(group["parent"] ?? ""), [...below, id]);
    return [above, textOf(group["name"]) ?? id].filter(Boolean).join(" / ");
  };
  return new Map([...groups.keys()].map((id) => [id, nameOf(id)]));
}

function notificationNames(backup: Fields): Map<string, string> {
  const list = Array.isArray(backup["notificationList"]) ? backup["notificationList"].filter(isFields) : [];
  return new Map(list.map((one) => [String(one["id"]), textOf(one["name"]) ?? String(one["id"])]));
}

function notesOf(part: Part, backup: Fields): Remark[] {
  const count = (key: string) => (Array.isArray(backup[key]) ? backup[key].length : 0);
  const note = (key: string, words: string) => (count(key) > 0 ? [part.remark([key], words)] : []);
  return [
    ...note(
      "notificationList",
      `notifications (${[...notificationNames(backup).values()].join(", ")}) are not imported: set them at the checks, under Notify`,
    ),
    ...note("proxyList", "proxies are not imported: checks ask directly"),
    ...note("statusPageList", "status pages are not imported"),
    ...note("maintenanceList", "maintenance windows are not imported"),
  ];
}
