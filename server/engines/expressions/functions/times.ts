/** Times and durations. Durations are Go's, with days (d), weeks (w) and years (y) of 365 days. */
import { celFunc, celMethod, CelScalar, objectType, type CelFunc, type CelInput } from "@bufbuild/cel";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import { durationOf, durationText, isDuration, isTimestamp, nanosOf, timestampOf, want } from "../values.ts";
import { both, plain, type Value } from "./define.ts";
import { parseTime, zoneOffset } from "./go-time.ts";

const { STRING, INT } = CelScalar;
const DURATION = objectType(DurationSchema);
const UNITS = new Map<string, bigint>([
  ["ns", 1n],
  ["us", 1000n],
  ["µs", 1000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
  ["d", 86_400_000_000_000n],
  ["w", 604_800_000_000_000n],
  ["y", 31_536_000_000_000_000n],
]);
const PART = /(\d+)(?:\.(\d+))?(ns|us|µs|ms|[smhdwy])/g;

/** Nanoseconds of `1h30m`, `-1.5h`, `7d`; throws when it is no duration. */
export function parseDuration(text: string): bigint {
  const [, sign, rest = ""] = /^([+-]?)(.*)$/.exec(text.trim()) ?? [];
  if (rest === "0") return 0n;
  if (rest === "" || rest.replace(PART, "") !== "")
    throw new Error(`"${text}" is no duration such as 30s or 7d`);
  let total = 0n;
  for (const [, whole = "0", part = "", unit = ""] of rest.matchAll(PART)) {
    const size = UNITS.get(unit) ?? 0n;
    total += BigInt(whole) * size + (part === "" ? 0n : (BigInt(part) * size) / 10n ** BigInt(part.length));
  }
  return sign === "-" ? -total : total;
}

const now = () => BigInt(Date.now()) * 1_000_000n;
const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The instant of a timestamp or of RFC 3339 text; a day alone begins at midnight UTC. */
function instant(value: Value): bigint {
  if (isTimestamp(value)) return nanosOf(value);
  const text = want.text(value);
  for (const layout of [
    "2006-01-02T15:04:05Z07:00",
    "2006-01-02 15:04:05Z07:00",
    "2006-01-02T15:04:05",
    "2006-01-02",
  ])
    try {
      return parseTime(layout, text);
    } catch {
      continue;
    }
  throw new Error(`"${text}" is no time like 2006-01-02T15:04:05Z`);
}

/** A duration as it is, a text that says one, or a number of seconds. */
function duration(value: Value): bigint {
  if (isDuration(value)) return nanosOf(value);
  if (typeof value === "string") return parseDuration(value);
  return BigInt(Math.round(want.number(value) * 1e9));
}

/** Weeks, days and hours from a day on; below it as Go prints. */
function humanDuration(nanos: bigint): string {
  const hours = nanos / 3_600_000_000_000n;
  if (hours < 24n) return durationText(nanos);
  const [weeks, days] = [hours / 168n, (hours / 24n) % 7n];
  return `${weeks > 0n ? `${weeks}w` : ""}${days}d${hours % 24n}h`;
}

const since = (value: Value): CelInput => durationOf(now() - instant(value));
const units: [string, bigint][] = [
  ["Nanosecond", 1n],
  ["Microsecond", 1000n],
  ["Millisecond", 1_000_000n],
  ["Second", 1_000_000_000n],
  ["Minute", 60_000_000_000n],
  ["Hour", 3_600_000_000_000n],
];

export const times: CelFunc[] = [
  celFunc("duration", [STRING], DURATION, (text) => durationOf(parseDuration(text))),
  celFunc("string", [DURATION], STRING, (value) => durationText(nanosOf(value))),
  celMethod("getMilliseconds", DURATION, [], INT, function () {
    return nanosOf(this) / 1_000_000n;
  }),
  ...plain("Duration", 1, (value) => durationOf(duration(value))),
  ...["age", "Age"].flatMap((name) => both(name, 1, since)),
  ...["HumanDuration", "humanDuration"].flatMap((name) =>
    both(name, 1, (value) => humanDuration(duration(value))),
  ),
  ...plain("time.ZoneName", 0, () => {
    const parts = new Intl.DateTimeFormat("en", { timeZone: zone(), timeZoneName: "short" }).formatToParts();
    return parts.find(({ type }) => type === "timeZoneName")?.value ?? "UTC";
  }),
  ...plain("time.ZoneOffset", 0, () => BigInt(zoneOffset(zone(), Date.now()) * 60)),
  ...plain("time.Parse", 2, (layout, text) => timestampOf(parseTime(want.text(layout), want.text(text)))),
  ...plain("time.ParseLocal", 2, (layout, text) =>
    timestampOf(parseTime(want.text(layout), want.text(text), zone())),
  ),
  ...plain("time.ParseInLocation", 3, (layout, place, text) =>
    timestampOf(parseTime(want.text(layout), want.text(text), want.text(place))),
  ),
  ...plain("time.Now", 0, () => timestampOf(now())),
  ...plain("time.Unix", 1, (seconds) => timestampOf(BigInt(Math.round(want.number(seconds) * 1e9)))),
  ...units.flatMap(([name, size]) =>
    plain(`time.${name}`, 1, (count) => durationOf(BigInt(Math.round(want.number(count) * Number(size))))),
  ),
  ...plain("time.ParseDuration", 1, (text) => durationOf(parseDuration(want.text(text)))),
  ...plain("time.Since", 1, since),
  ...plain("time.Until", 1, (value) => durationOf(instant(value) - now())),
];
