/**
 * `column.filter=a,!b,c*`: a comma list that PostgREST does not have. Positive items are alternatives, negative ones
 * all hold; `*` at an end matches anything. Time columns take one comparison with date mathematics instead
 * (`>now-2d`). It makes logic nodes directly, nothing is encoded again.
 */
import type { Field, Filter, Logic, Operation } from "./ast.ts";
import { refuse } from "../errors.ts";

const TIME_COLUMNS = new Set(
  (
    "acknowledged check_time closed created_at deleted_at end_time expires_at first_observed last_attempt last_login " +
    "last_observed last_received last_runtime last_scraped_time last_seen last_transition_time next_runtime resolved " +
    "scheduled_time silenced_at start_time time time_end time_start updated_at"
  ).split(" "),
);
const COMPARISONS = new Map([
  ["=", "eq"],
  ["<", "lt"],
  [">", "gt"],
]);

/** The conditions of one `.filter` parameter, all of which must hold; none for a blank value. */
export function parseFilterList(field: Field, text: string, now: Date): Logic[] {
  if (text.trim() === "") return [];
  if (field.path.length === 0 && TIME_COLUMNS.has(field.name)) return [compareTime(field, text.trim(), now)];
  const items = text.split(",").filter((item) => item !== "" && item !== "!");
  const positive = items.filter((item) => !item.startsWith("!"));
  const negative = items.filter((item) => item.startsWith("!")).map((item) => item.slice(1));
  const wanted = conditions(field, positive, false);
  const either: Logic[] =
    wanted.length > 1 ? [{ kind: "group", isNegated: false, operator: "or", items: wanted }] : wanted;
  return [...either, ...conditions(field, negative, true)];
}

function conditions(field: Field, items: string[], isNegated: boolean): Filter[] {
  const isPattern = (item: string) => item.startsWith("*") || item.endsWith("*");
  const values = items.filter((item) => !isPattern(item));
  const filters: Operation[] = items
    .filter(isPattern)
    .map((item) => ({ kind: "simple", operator: "like", value: pattern(item) }));
  if (values.length > 0) filters.unshift({ kind: "in", values });
  return filters.map((operation) => ({ kind: "filter", field, isNegated, operation }));
}

/** Only the stars at the ends are wildcards; `%`, `_` and `\` are themselves, and so is a star inside. */
function pattern(item: string): string {
  const inner = item
    .replace(/^\*/, "")
    .replace(/\*$/, "")
    .replaceAll(/[\\%_]/g, "\\$&");
  return `${item.startsWith("*") ? "%" : ""}${inner}${item.endsWith("*") ? "%" : ""}`;
}

function compareTime(field: Field, text: string, now: Date): Filter {
  const operator = COMPARISONS.get(text.charAt(0));
  const value = dateMath(operator ? text.slice(1) : text, now);
  if (!value) throw refuse(400, "100", `"failed to parse filter (${text})" (line 1, column 1)`);
  const operation: Operation = { kind: "simple", operator: operator ?? "lt", value: value.toISOString() };
  return { kind: "filter", field, isNegated: false, operation };
}

const STEP = /([+-])(\d{1,9})([yMwdhHms])|\/([yMwdhHms])/y;

/** `now-2d`, `now+1h/d`, `2024-05-01||+1M`, a plain timestamp; null when it is none of these. Rounds down, in UTC. */
export function dateMath(text: string, now: Date): Date | null {
  const [, anchor = "", steps = ""] = /^(now|.*?(?=\|\||$))(?:\|\|)?(.*)$/s.exec(text.trim()) ?? [];
  const date = anchor === "now" ? new Date(now) : new Date(anchor);
  STEP.lastIndex = 0;
  while (STEP.lastIndex < steps.length) {
    const step = STEP.exec(steps);
    if (!step) return null;
    if (step[4] !== undefined) roundDown(date, step[4]);
    else move(date, Number(step[2]) * (step[1] === "-" ? -1 : 1), step[3] ?? "");
  }
  return Number.isNaN(date.getTime()) ? null : date;
}

const MILLISECONDS = new Map([
  ["w", 604_800_000],
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["H", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
]);

function move(date: Date, count: number, unit: string): void {
  const length = MILLISECONDS.get(unit);
  if (length !== undefined) date.setTime(date.getTime() + count * length);
  else if (unit === "y") date.setUTCFullYear(date.getUTCFullYear() + count);
  else date.setUTCMonth(date.getUTCMonth() + count);
}

function roundDown(date: Date, unit: string): void {
  const length = MILLISECONDS.get(unit);
  if (unit === "w") {
    const day = Math.floor(date.getTime() / 86_400_000);
    date.setTime((day - ((day + 3) % 7)) * 86_400_000);
  } else if (length !== undefined) date.setTime(Math.floor(date.getTime() / length) * length);
  else date.setTime(Date.UTC(date.getUTCFullYear(), unit === "y" ? 0 : date.getUTCMonth(), 1));
}
