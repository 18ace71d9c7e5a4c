import { CANARY_SETTINGS } from "#app/contract/specs/checks/index.ts";
import { checkTypeName, notRunHere } from "#app/contract/words/check-types.ts";
import { effectiveSchedule } from "./due.ts";
import { HEARTBEAT, ON_PING } from "./heartbeat.ts";

/** A canary as its row has it. */
export interface Canary {
  id: string;
  agent_id: string;
  name: string;
  namespace: string;
  labels: Record<string, string> | null;
  annotations: Record<string, string> | null;
  spec: Record<string, unknown>;
  deleted: boolean;
}

/** The check that an entry of a canary's spec asks for. */
export interface WantedCheck {
  type: string;
  name: string;
  namespace: string;
  description: string | null;
  icon: string | null;
  severity: string | null;
  owner: string | null;
  labels: Record<string, string>;
  spec: Record<string, unknown>;
  /** null: it has no schedule, its canary is suspended, or nobody here runs its type. */
  schedule: string | null;
}

/** Labels that deployment tools put on everything and nobody filters by. */
const NOISE = [/^pod-template-hash$/, /^kustomize\.toolkit\.fluxcd\.io\//];

/**
 * Pure: the checks of a canary. Identity is type and name; entries without a name are called by their type and number,
 * and a name that occurs twice gets a number, so that no entry is lost. With `resultMode: junit` the whole canary is one
 * check; a webhook is a check that others drive, so it has no schedule.
 */
export function expand(canary: Canary): WantedCheck[] {
  if (canary.deleted) return [];
  const suspended = canary.annotations?.["suspend"] === "true";
  const schedule = suspended ? null : effectiveSchedule(canary.spec);
  const pinged = suspended ? null : ON_PING;
  const checks =
    canary.spec["resultMode"] === "junit"
      ? suite(canary, schedule)
      : entries(canary, (type) => (type === HEARTBEAT ? pinged : schedule));
  return [...checks, ...webhook(canary)];
}

function entries(canary: Canary, scheduleOf: (type: string) => string | null): WantedCheck[] {
  const { spec } = canary;
  const severity = word(spec["severity"]);
  const owner = word(spec["owner"]);
  const names = new Map<string, Set<string>>(); // two words may mean one type
  return Object.entries(spec)
    .filter(([type, entries]) => !CANARY_SETTINGS.has(type) && Array.isArray(entries))
    .flatMap(([key, entries]) => {
      const type = checkTypeName(key);
      const taken = names.get(type) ?? new Set<string>();
      names.set(type, taken);
      return (entries as unknown[]).map((given, index) => {
        const entry = isObject(given) ? given : { given };
        return {
          type,
          name: unique(word(entry["name"]) ?? `${type} ${index + 1}`, taken),
          namespace: word(entry["namespace"]) ?? (canary.namespace || "default"),
          description: word(entry["description"]),
          icon: word(entry["icon"]),
          severity,
          owner,
          labels: labelsOf(canary, entry, severity, owner),
          spec: entry,
          schedule: notRunHere(type) ? null : scheduleOf(type),
        };
      });
    });
}

/** All entries as one check of type junit; what it runs is the canary's spec. */
function suite(canary: Canary, schedule: string | null): WantedCheck[] {
  if (entries(canary, () => schedule).length === 0) return [];
  return [{ ...whole(canary), type: "junit", name: canary.name, spec: canary.spec, schedule }];
}

/** `webhook: {name: …}`. Its token is not for everybody who may read checks. */
function webhook(canary: Canary): WantedCheck[] {
  const given = canary.spec["webhook"];
  const name = isObject(given) ? word(given["name"]) : null;
  if (!isObject(given) || name === null) return [];
  const { token: _, ...spec } = given;
  return [{ ...whole(canary), type: "webhook", name, spec, schedule: null }];
}

function whole(canary: Canary) {
  const severity = word(canary.spec["severity"]);
  const owner = word(canary.spec["owner"]);
  return {
    namespace: canary.namespace || "default",
    description: null,
    icon: null,
    severity,
    owner,
    labels: labelsOf(canary, {}, severity, owner),
  };
}

/** The canary's labels, overlaid by the check's, plus one named by the severity and one by the owner. */
function labelsOf(
  canary: Canary,
  entry: Record<string, unknown>,
  severity: string | null,
  owner: string | null,
) {
  const own = isObject(entry["labels"]) ? entry["labels"] : {};
  const marks = [severity, owner].filter((mark) => mark !== null).map((mark) => [mark, "true"]);
  return Object.fromEntries(
    Object.entries({ ...canary.labels, ...own, ...Object.fromEntries(marks) })
      .filter(([name]) => !NOISE.some((pattern) => pattern.test(name)))
      .map(([name, value]) => [name, String(value)]),
  );
}

function unique(name: string, taken: Set<string>): string {
  let candidate = name;
  for (let number = 2; taken.has(candidate); number++) candidate = `${name} (${number})`;
  taken.add(candidate);
  return candidate;
}

/** A text that is not empty; numbers, as YAML has them, count as text. */
function word(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
