/** Times written as Go's layouts say (`2006-01-02 15:04:05`), and RFC 3339. */

interface Parts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  nanos: number;
  /** Minutes east of UTC; null when the text does not say. */
  offset: number | null;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const number =
  (name: "year" | "month" | "day" | "hour" | "minute" | "second") => (text: string, parts: Parts) => {
    parts[name] = Number(text);
  };
const shift = (text: string, parts: Parts) => {
  const [, sign, hours = "0", minutes = "0"] = /^([+-])(\d\d):?(\d\d)?$/.exec(text) ?? [];
  parts.offset = text === "Z" ? 0 : (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes || 0));
};
const afternoon = (text: string, parts: Parts) => {
  parts.hour = (parts.hour % 12) + (/^p/i.test(text) ? 12 : 0);
};

/** What a layout is made of, longest first: the text, what it matches, and what that sets. */
const ELEMENTS: [string, string, (text: string, parts: Parts) => void][] = [
  ["January", "[A-Za-z]+", (text, parts) => (parts.month = MONTHS.indexOf(text.slice(0, 3)) + 1)],
  ["Monday", "[A-Za-z]+", () => undefined],
  ["Z07:00", "Z|[+-]\\d\\d:\\d\\d", shift],
  ["-07:00", "[+-]\\d\\d:\\d\\d", shift],
  ["Z0700", "Z|[+-]\\d{4}", shift],
  ["-0700", "[+-]\\d{4}", shift],
  ["-07", "[+-]\\d\\d", shift],
  ["2006", "\\d{4}", number("year")],
  ["Jan", "[A-Za-z]{3}", (text, parts) => (parts.month = MONTHS.indexOf(text) + 1)],
  ["Mon", "[A-Za-z]{3}", () => undefined],
  ["MST", "[A-Z]{3,5}", (text, parts) => (parts.offset = /^(UTC|GMT)$/.test(text) ? 0 : parts.offset)],
  ["01", "\\d\\d", number("month")],
  ["02", "\\d\\d", number("day")],
  ["15", "\\d\\d", number("hour")],
  ["03", "\\d\\d", number("hour")],
  ["04", "\\d\\d", number("minute")],
  ["05", "\\d\\d(?:\\.\\d{1,9})?", (text, parts) => setSeconds(text, parts)],
  ["06", "\\d\\d", (text, parts) => (parts.year = Number(text) + (Number(text) >= 69 ? 1900 : 2000))],
  ["PM", "[AaPp][Mm]", afternoon],
  ["pm", "[AaPp][Mm]", afternoon],
  ["_2", "[ \\d]\\d", number("day")],
  ["1", "\\d\\d?", number("month")],
  ["2", "\\d\\d?", number("day")],
  ["3", "\\d\\d?", number("hour")],
  ["4", "\\d\\d?", number("minute")],
  ["5", "\\d\\d?", number("second")],
];
const LAYOUT = new RegExp(`\\.0+|\\.9+|${ELEMENTS.map(([name]) => name).join("|")}`, "g");

function setSeconds(text: string, parts: Parts): void {
  const [whole = "", rest = ""] = text.split(".");
  parts.second = Number(whole);
  if (rest !== "") parts.nanos = Number(rest.padEnd(9, "0"));
}

/** Nanoseconds since 1970. Without a zone in the text it is read in `zone`, an IANA name. */
export function parseTime(layout: string, text: string, zone = "UTC"): bigint {
  const setters: ((text: string, parts: Parts) => void)[] = [];
  let from = 0;
  let source = "";
  for (const match of layout.matchAll(LAYOUT)) {
    source += escape(layout.slice(from, match.index));
    from = match.index + match[0].length;
    const element = ELEMENTS.find(([name]) => name === match[0]);
    source += element ? `(${element[1]})` : "(\\.\\d+)?";
    setters.push(
      element?.[2] ?? ((given, parts) => (parts.nanos = Number((given ?? ".0").slice(1, 10).padEnd(9, "0")))),
    );
  }
  const found = new RegExp(`^${source}${escape(layout.slice(from))}$`).exec(text);
  if (!found) throw new Error(`"${text}" is no time like "${layout}"`);
  const parts: Parts = { year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0, nanos: 0, offset: null };
  setters.forEach((set, index) => set(found[index + 1] as string, parts));
  return nanos(parts, text, zone);
}

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const LONG_MONTHS =
  "January February March April May June July August September October November December".split(" ");

/** Nanoseconds since 1970 written as the layout says, in UTC. */
export function formatTime(layout: string, nanoseconds: bigint): string {
  const rest = ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const at = new Date(Number((nanoseconds - rest) / 1_000_000n));
  const two = (value: number) => String(value).padStart(2, "0");
  const month = LONG_MONTHS[at.getUTCMonth()] as string;
  const day = DAYS[at.getUTCDay()] as string;
  const hour = at.getUTCHours() % 12 || 12;
  const words: Record<string, string> = {
    January: month,
    Monday: day,
    Jan: month.slice(0, 3),
    Mon: day.slice(0, 3),
    MST: "UTC",
    "Z07:00": "Z",
    Z0700: "Z",
    "-07:00": "+00:00",
    "-0700": "+0000",
    "-07": "+00",
    "2006": String(at.getUTCFullYear()).padStart(4, "0"),
    "06": two(at.getUTCFullYear() % 100),
    "01": two(at.getUTCMonth() + 1),
    "1": String(at.getUTCMonth() + 1),
    "02": two(at.getUTCDate()),
    _2: String(at.getUTCDate()).padStart(2, " "),
    "2": String(at.getUTCDate()),
    "15": two(at.getUTCHours()),
    "03": two(hour),
    "3": String(hour),
    "04": two(at.getUTCMinutes()),
    "4": String(at.getUTCMinutes()),
    "05": two(at.getUTCSeconds()),
    "5": String(at.getUTCSeconds()),
    PM: at.getUTCHours() < 12 ? "AM" : "PM",
    pm: at.getUTCHours() < 12 ? "am" : "pm",
  };
  return layout.replace(LAYOUT, (element) => {
    if (!element.startsWith(".")) return words[element] as string;
    const digits = String(rest)
      .padStart(9, "0")
      .slice(0, element.length - 1);
    const shown = element[1] === "9" ? digits.replace(/0+$/, "") : digits;
    return shown === "" ? "" : `.${shown}`;
  });
}

const escape = (text: string) => text.replace(/[\\.+*?()|[\]{}^$/-]/g, "\\$&");

function nanos(parts: Parts, text: string, zone: string): bigint {
  const { year, month, day, hour, minute, second, offset } = parts;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  if (
    date.getUTCMonth() !== month - 1 ||
    date.getUTCDate() !== day ||
    hour > 23 ||
    minute > 59 ||
    second > 59
  )
    throw new Error(`"${text}" is no time`);
  const east = offset ?? zoneOffset(zone, date.getTime());
  return BigInt(date.getTime() - east * 60_000) * 1_000_000n + BigInt(parts.nanos);
}

/** How many minutes east of UTC a zone is when its clocks show this time (given as if it were UTC). */
export function zoneOffset(zone: string, wallMs: number): number {
  const at = (ms: number) => {
    const name = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" })
      .formatToParts(ms)
      .find(({ type }) => type === "timeZoneName")?.value;
    const [, sign, hours = "0", minutes = "0"] = /GMT(?:([+-])(\d\d):?(\d\d)?)?/.exec(name ?? "") ?? [];
    return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  };
  return at(wallMs - at(wallMs) * 60_000);
}
