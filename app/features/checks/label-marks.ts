/** The label filters of /health in its address (facts/ui-screens §3.2). */
import type { Group, Marks } from "#app/lib/search.ts";

/** A label as the address spells it. */
export const labelId = (key: string, value: string) => `canary:${key}:${value}`;

/** A label for the eye: its key alone when it only says yes. */
export function labelWords(id: string): string {
  const [, key = "", ...rest] = id.split(":");
  const value = rest.join(":");
  return value === "true" ? key : `${key}: ${value}`;
}

/** The map as it was sent: JSON, encoded once or, as some old links have it, twice. Anything else is nothing. */
function parsed(text: string): [string, unknown][] {
  try {
    const map: unknown = JSON.parse(text.startsWith("%") ? decodeURIComponent(text) : text);
    return typeof map === "object" && map !== null && !Array.isArray(map) ? Object.entries(map) : [];
  } catch {
    return [];
  }
}

const isMark = (value: unknown): value is 1 | -1 => value === 1 || value === -1;

/**
 * `labels={"canary:team:shop":1,"canary:pci:true":-1}`, a map of what to include and to exclude. A form of radios sends
 * one field for each label instead (`labels.canary:team:shop=1`), and one of check boxes those that are included
 * (`labels.in=canary:team:shop`): both are read and never written.
 */
export const labelMarks = (name: string): Group<Marks> => ({
  readAll: (params) => {
    const sent = [...params].flatMap(([key, value]): [string, unknown][] => {
      if (key === `${name}.in`) return [[value, 1]];
      return key.startsWith(`${name}.`) ? [[key.slice(name.length + 1), Number(value)]] : [];
    });
    const all = [...params.getAll(name).flatMap(parsed), ...sent];
    return Object.fromEntries(
      all.flatMap(([id, mark]) => (id !== "" && isMark(mark) ? [[id, mark] as const] : [])),
    );
  },
  writeAll: (marks) => (Object.keys(marks).length > 0 ? [[name, JSON.stringify(marks)]] : []),
});
