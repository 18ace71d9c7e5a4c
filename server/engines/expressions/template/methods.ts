/** What Go's durations and times can be asked: `{{ .elapsed.Milliseconds }}`, `{{ .at.Format "15:04" }}`. */
import type { CelValue } from "@bufbuild/cel";
import { formatTime, parseTime } from "../functions/go-time.ts";
import {
  durationOf,
  durationText,
  isDuration,
  isTimestamp,
  nanosOf,
  textOf,
  timestampOf,
} from "../values.ts";
import type { Value } from "./format.ts";

type Method = (nanos: bigint, given: Value[]) => Value;

const per =
  (size: number): Method =>
  (nanos) =>
    Number(nanos) / size;
const whole =
  (size: bigint): Method =>
  (nanos) =>
    nanos / size;
const argument = ([value]: Value[]): bigint => {
  if (value === undefined || value === null) throw new Error("an argument is missing");
  return typeof value === "bigint" ? value : nanosOf(value);
};
/** Away from zero at the half, as Go rounds. */
const rounded = (nanos: bigint, to: bigint) => {
  if (to <= 0n) return nanos;
  const half = nanos < 0n ? -(to / 2n) : to / 2n;
  return ((nanos + half) / to) * to;
};

const DURATION: Record<string, Method> = {
  Hours: per(3.6e12),
  Minutes: per(6e10),
  Seconds: per(1e9),
  Milliseconds: whole(1_000_000n),
  Microseconds: whole(1000n),
  Nanoseconds: whole(1n),
  String: (nanos) => durationText(nanos),
  Abs: (nanos) => durationOf(nanos < 0n ? -nanos : nanos),
  Round: (nanos, given) => durationOf(rounded(nanos, argument(given))),
  Truncate: (nanos, given) => {
    const to = argument(given);
    return durationOf(to <= 0n ? nanos : (nanos / to) * to);
  },
};

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);
const date = (nanos: bigint) => new Date(Number(nanos / 1_000_000n));
const part =
  (work: (at: Date) => number): Method =>
  (nanos) =>
    BigInt(work(date(nanos)));

const TIME: Record<string, Method> = {
  Year: part((at) => at.getUTCFullYear()),
  Day: part((at) => at.getUTCDate()),
  Hour: part((at) => at.getUTCHours()),
  Minute: part((at) => at.getUTCMinutes()),
  Second: part((at) => at.getUTCSeconds()),
  YearDay: part((at) => Math.floor((at.getTime() - Date.UTC(at.getUTCFullYear(), 0, 1)) / 86_400_000) + 1),
  Month: (nanos) => MONTHS[date(nanos).getUTCMonth()] as string,
  Weekday: (nanos) => DAYS[date(nanos).getUTCDay()] as string,
  Unix: whole(1_000_000_000n),
  UnixMilli: whole(1_000_000n),
  UnixNano: whole(1n),
  UTC: (nanos) => timestampOf(nanos),
  String: (nanos) => textOf(timestampOf(nanos)),
  Format: (nanos, [layout]) => {
    if (typeof layout !== "string") throw new Error("Format needs a layout such as 2006-01-02");
    return formatTime(layout, nanos);
  },
  Add: (nanos, given) => timestampOf(nanos + argument(given)),
  Sub: (nanos, given) => durationOf(nanos - argument(given)),
  Before: (nanos, given) => nanos < argument(given),
  After: (nanos, given) => nanos > argument(given),
  Equal: (nanos, given) => nanos === argument(given),
  IsZero: (nanos) => nanos === parseTime("2006-01-02", "0001-01-01"),
};

/** The method of a value that is neither list nor map; throws when it has none of that name. */
export function methodOf(value: CelValue, name: string): (given: Value[]) => Value {
  const table = isDuration(value) ? DURATION : isTimestamp(value) ? TIME : {};
  const method = Object.hasOwn(table, name) ? table[name] : undefined;
  if (!method) throw new Error(`there is no ${name} in ${textOf(value).slice(0, 50)}`);
  const nanos = nanosOf(value);
  return (given) => method(nanos, given);
}
