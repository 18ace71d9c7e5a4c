/** One name of Prometheus with its series, in as little memory as it takes: thousands of checks have a dozen each. */

export type SeriesType = "counter" | "gauge" | "histogram";

interface Series {
  /** The labels as they are written. */
  labels: string;
  value: number;
  /** Of a histogram: how many values were at most each bucket's bound, and how many there were. */
  buckets: Uint32Array | null;
  count: number;
  /** When it was last given a value, in milliseconds since 1970. */
  at: number;
}

const ESCAPES: Record<string, string> = { "\\": "\\\\", "\n": "\\n", '"': '\\"' };
/** Longest value of a label, in characters. Ours to choose. */
const VALUE_LIMIT = 200;

/** `a="1",b="2"`, in the order of the names. */
export function writeLabels(labels: Readonly<Record<string, string>>): string {
  return Object.keys(labels)
    .sort()
    .map((name) => {
      const value = (labels[name] ?? "")
        .slice(0, VALUE_LIMIT)
        .replace(/[\\\n"]/g, (sign) => ESCAPES[sign] ?? sign);
      return `${name}="${value}"`;
    })
    .join(",");
}

export interface Family {
  readonly name: string;
  readonly type: SeriesType;
  /** Adds to a counter, sets a gauge, files a value of a histogram. False when there are too many series already. */
  give(labels: string, value: number, now: number): boolean;
  /** Drops the series of these labels. */
  drop(labels: string): void;
  /** Drops what was given nothing since then, in milliseconds since 1970. */
  forget(before: number): void;
  size(): number;
  /** Its lines, some at a time. */
  lines(): Iterable<string>;
}

interface Options {
  help: string;
  limit: number;
  /** Upper bounds of a histogram's buckets, rising. */
  bounds?: readonly number[];
}

export function createFamily(name: string, type: SeriesType, { help, limit, bounds = [] }: Options): Family {
  const all = new Map<string, Series>();

  function give(labels: string, value: number, now: number): boolean {
    let series = all.get(labels);
    if (!series) {
      if (all.size >= limit) return false;
      const buckets = type === "histogram" ? new Uint32Array(bounds.length) : null;
      series = { labels, value: 0, buckets, count: 0, at: now };
      all.set(labels, series);
    }
    series.at = now;
    series.count += 1;
    series.value = type === "gauge" ? value : series.value + value;
    for (const [index, bound] of bounds.entries())
      if (series.buckets && value <= bound) series.buckets[index] = (series.buckets[index] ?? 0) + 1;
    return true;
  }

  function* lines(): Iterable<string> {
    yield `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    for (const { labels, value, buckets, count } of all.values())
      yield buckets ? histogram(labels, value, buckets, count) : `${name}${braced(labels)} ${value}\n`;
  }

  function histogram(labels: string, sum: number, buckets: Uint32Array, count: number): string {
    const front = labels === "" ? "" : `${labels},`;
    const filed = bounds.map(
      (bound, index) => `${name}_bucket{${front}le="${bound}"} ${buckets[index] ?? 0}\n`,
    );
    const whole = `${name}_bucket{${front}le="+Inf"} ${count}\n`;
    return `${filed.join("")}${whole}${name}_sum${braced(labels)} ${sum}\n${name}_count${braced(labels)} ${count}\n`;
  }

  return {
    name,
    type,
    give,
    drop: (labels) => void all.delete(labels),
    forget(before) {
      for (const [labels, { at }] of all) if (at < before) all.delete(labels);
    },
    size: () => all.size,
    lines,
  };
}

const braced = (labels: string) => (labels === "" ? "" : `{${labels}}`);
