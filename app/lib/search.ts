/**
 * The typed query string of a page (DESIGN C8, D1): codecs read and write single values, groups read and write several
 * parameters as one value. Garbage falls back to the default, and defaults never appear in the URL.
 */

/** Turns the values of one parameter into one typed value and back. `[]` means "leave it out". */
export interface Codec<T> {
  read(values: string[]): T;
  write(value: T): string[];
}
/** Turns several parameters, with names fixed by the specification, into one typed value and back. */
export interface Group<T> {
  readAll(params: URLSearchParams): T;
  writeAll(value: T): [name: string, value: string][];
}

export const text = (fallback = ""): Codec<string> => ({
  read: ([value]) => value ?? fallback, // trimming is the query's business: what is written is what is read
  write: (value) => (value === fallback ? [] : [value]),
});

/** A whole number, kept within its limits. */
export const int = (fallback: number, { min = 0, max = Number.MAX_SAFE_INTEGER } = {}): Codec<number> => ({
  read: ([value]) => (/^\d+$/.test(value ?? "") ? Math.min(Math.max(Number(value), min), max) : fallback),
  write: (value) => (value === fallback ? [] : [String(value)]),
});

export const oneOf = <const T extends string>(options: readonly T[], fallback: T): Codec<T> => ({
  read: ([value]) => options.find((option) => option === value) ?? fallback,
  write: (value) => (value === fallback ? [] : [value]),
});

/** Any number of the options, comma-joined in the order of the options; none is the default. */
export const manyOf = <const T extends string>(options: readonly T[]): Codec<T[]> => ({
  read: (values) => {
    const asked = new Set(values.flatMap((value) => value.split(",")));
    return options.filter((option) => asked.has(option));
  },
  write: (value) =>
    value.length === 0 ? [] : [options.filter((option) => value.includes(option)).join(",")],
});

export const flag = (fallback: boolean): Codec<boolean> => ({
  read: ([value]) => (value === undefined ? fallback : value === "true" || value === "yes"),
  write: (value) => (value === fallback ? [] : [String(value)]),
});

/** Values to include (1) and to exclude (-1), as the tri-state filters write them. */
export type Marks = Record<string, 1 | -1>;

/** `a:1,b:-1`; a colon inside a value is four underscores, a comma four pipes (specification 1 §9). */
export const marks = (): Codec<Marks> => ({
  read: (values) =>
    Object.fromEntries(
      values
        .flatMap((value) => value.split(","))
        .filter(Boolean)
        .map((item) => {
          const end = item.lastIndexOf(":");
          const mark = end >= 0 && item.slice(end) === ":-1" ? -1 : 1;
          return [unescapeMark(end >= 0 ? item.slice(0, end) : item), mark] as const;
        }),
    ),
  write: (value) => {
    const items = Object.entries(value).map(([name, mark]) => `${escapeMark(name)}:${mark}`);
    return items.length > 0 ? [items.join(",")] : [];
  },
});

/**
 * Marks that a form of radios may send, one group for each option (`labels.eu-west=1`), besides their own spelling
 * (`labels=eu-west:1`), which is the one that is written.
 */
export const markFields = (name: string): Group<Marks> => ({
  readAll: (params) => {
    const sent = [...params].flatMap(([key, value]) =>
      key.startsWith(`${name}.`) && (value === "1" || value === "-1")
        ? [[key.slice(name.length + 1), value === "1" ? 1 : -1] as const]
        : [],
    );
    return { ...marks().read(params.getAll(name)), ...Object.fromEntries(sent) };
  },
  writeAll: (value) =>
    marks()
      .write(value)
      .map((written) => [name, written]),
});

/**
 * The specification's two substitutions are ambiguous next to a real underscore or pipe; only then, the real one is
 * written as %5F or %7C, so that what is written is what is read and every legacy link keeps its meaning.
 */
function escapeMark(name: string): string {
  let safe = name.replace(/%(?=25|5F|7C)/g, "%25");
  if (/____|_:|:_/.test(safe)) safe = safe.replaceAll("_", "%5F");
  if (/\|{4}|\|,|,\|/.test(safe)) safe = safe.replaceAll("|", "%7C");
  return safe.replaceAll(":", "____").replaceAll(",", "||||");
}
const UNESCAPED: ReadonlyMap<string, string> = new Map([
  ["%25", "%"],
  ["%5F", "_"],
  ["%7C", "|"],
]);
const unescapeMark = (value: string) =>
  value
    .replaceAll("____", ":")
    .replaceAll("||||", ",")
    .replace(/%(?:25|5F|7C)/g, (escaped) => UNESCAPED.get(escaped) ?? escaped);

/** One tag of a catalogue item, to include or to exclude. Keys hold no colon; values may. */
export interface Tag {
  key: string;
  value: string;
  mark: 1 | -1;
}

/** `key____value:1,…`: marks whose name is `key:value`. */
export const tags = (): Codec<Tag[]> => {
  const codec = marks();
  return {
    read: (values) =>
      Object.entries(codec.read(values)).flatMap(([name, mark]) => {
        const colon = name.indexOf(":");
        return colon > 0 ? [{ key: name.slice(0, colon), value: name.slice(colon + 1), mark }] : [];
      }),
    write: (value) =>
      codec.write(Object.fromEntries(value.map((tag) => [`${tag.key}:${tag.value}`, tag.mark]))),
  };
};

/** Columns to group by: plain names, or a tag's key with the suffix `__tag` (specification 2, groupBy). */
export interface Grouping {
  name: string;
  tag: boolean;
}
export const groupings = (fallback: string): Codec<Grouping[]> => ({
  read: ([value]) =>
    (value ?? fallback)
      .split(",")
      .filter(Boolean)
      .map((name) =>
        name.endsWith("__tag") ? { name: name.slice(0, -5), tag: true } : { name, tag: false },
      ),
  write: (value) => {
    const written = value.map(({ name, tag }) => (tag ? `${name}__tag` : name)).join(",");
    return written === fallback ? [] : [written];
  },
});

/** A time range as the picker writes it (facts/ui-screens §1.4): datemath relative to now, or two instants. */
export type TimeRange =
  | { type: "none" }
  | { type: "relative" | "mapped"; range: string; display: string }
  | { type: "absolute"; from: string; to: string; display: string };

export const timeRange = (fallback: TimeRange = { type: "none" }): Group<TimeRange> => ({
  readAll: (params) => {
    const type = params.get("rangeType");
    const display = params.get("display") ?? "";
    const range = params.get("range");
    const from = params.get("from");
    const to = params.get("to");
    if (type === "absolute") return from && to ? { type, from, to, display } : fallback;
    if (type === "relative" || type === "mapped") return range ? { type, range, display } : fallback;
    return type === "none" ? { type: "none" } : fallback;
  },
  writeAll: (value) => {
    if (JSON.stringify(value) === JSON.stringify(fallback)) return [];
    return Object.entries(value)
      .map(([name, part]): [string, string] => [name === "type" ? "rangeType" : name, part])
      .filter(([name, part]) => !(name === "display" && part === ""));
  },
});

/** A column to sort by and its direction. */
export interface Sort<C extends string = string> {
  by: C;
  desc: boolean;
}

/** `sortBy` with `sortDesc=true|false` (health), or with `sortOrder=asc|desc` where the area spells it so (agents). */
export const sort = <const C extends string>(
  columns: readonly C[],
  fallback: Sort<C>,
  { spelling = "sortDesc" }: { spelling?: "sortDesc" | "sortOrder" } = {},
): Group<Sort<C>> => ({
  readAll: (params) => {
    const by = columns.find((column) => column === params.get("sortBy")) ?? fallback.by;
    const direction = params.get(spelling);
    if (direction === null) return { by, desc: by === fallback.by && fallback.desc };
    return { by, desc: direction === "true" || direction === "desc" };
  },
  writeAll: ({ by, desc }) => {
    const expected = by === fallback.by && fallback.desc;
    const words = spelling === "sortDesc" ? ["true", "false"] : ["desc", "asc"];
    return [
      ...(by === fallback.by ? [] : [["sortBy", by] as [string, string]]),
      ...(desc === expected ? [] : [[spelling, (desc ? words[0] : words[1]) ?? ""] as [string, string]]),
    ];
  },
});

type Part = { read(values: string[]): unknown; write(value: never): string[] } | AnyGroup;
type AnyGroup = { readAll(params: URLSearchParams): unknown; writeAll(value: never): [string, string][] };
type Values<P extends Record<string, Part>> = {
  [K in keyof P]: P[K] extends Codec<infer T> ? T : P[K] extends Group<infer G> ? G : never;
};
/** The values of a page's search: `type HealthSearch = SearchOf<typeof healthSearch>`. */
export type SearchOf<S> = S extends { read(source: URLSearchParams): infer V } ? V : never;

/** One per page: reads a request into typed filters, writes filters into a link. */
export function search<P extends Record<string, Part>>(parts: P) {
  const listed = Object.entries(parts);
  const read = (source: Request | URLSearchParams): Values<P> => {
    const params = source instanceof URLSearchParams ? source : new URL(source.url).searchParams;
    return Object.fromEntries(
      listed.map(([name, part]) => [
        name,
        "read" in part ? part.read(params.getAll(name)) : part.readAll(params),
      ]),
    ) as Values<P>;
  };
  /** Without lists in between: a page of links writes a hundred addresses. */
  const entries = (values: Partial<Values<P>>): [string, string][] => {
    const all: [string, string][] = [];
    for (const [name, part] of listed) {
      const value = values[name];
      if (value === undefined) continue;
      if ("readAll" in part) all.push(...part.writeAll(value as never));
      else for (const written of part.write(value as never)) all.push([name, written]);
    }
    return all;
  };
  const href = (path: string, values: Partial<Values<P>> = {}): string => {
    const query = new URLSearchParams(entries(values)).toString();
    return query ? `${path}?${query}` : path;
  };
  return { read, entries, href };
}
