import type { ReactNode } from "react";
import { cx } from "../parts/cx.ts";
import { TONE, type Tone } from "./tone.ts";

/** A short fact beside a name: a namespace, an agent. Nothing when there is nothing to say. */
export function Badge({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <span className="inline-flex max-w-full flex-none items-center gap-1 rounded-sm bg-pressed px-1.5 text-xs font-medium whitespace-nowrap text-muted">
      {children}
    </span>
  );
}

/** A number in a pill, for tabs and buttons. */
export function CountBadge({ value, tone }: { value: string; tone?: Tone }) {
  return (
    <span
      className={cx(
        "inline-block min-w-5 rounded-full px-1.25 text-center text-2xs leading-4.5 font-medium",
        tone ? cx(TONE[tone].wash, TONE[tone].word) : "bg-pressed text-muted",
      )}
    >
      {value}
    </span>
  );
}

/** key: value. The key is quieter than the value, because the value is what you look for. */
export function Tag({ name, value }: { name: string; value: string }) {
  return (
    <span className="inline-flex max-w-full min-w-0 rounded-sm border border-line px-1.5 text-xs whitespace-nowrap text-ink">
      <span className="text-faint">{name}:&nbsp;</span>
      <span className="truncate" title={value}>
        {value}
      </span>
    </span>
  );
}

/** The specification's order of labels: account, namespace and name first, the rest by alphabet. */
const FIRST = ["account", "namespace", "name"];
const rank = (key: string) => (FIRST.includes(key) ? FIRST.indexOf(key) : FIRST.length);

export const sortedTags = (labels: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(labels).sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0));

export function Tags({ labels }: { labels: Readonly<Record<string, string>> }) {
  const entries = sortedTags(labels);
  if (entries.length === 0) return null;
  return (
    <ul className="flex min-w-0 flex-wrap gap-1" aria-label="Labels">
      {entries.map(([name, value]) => (
        <li key={name} className="flex min-w-0">
          <Tag name={name} value={value} />
        </li>
      ))}
    </ul>
  );
}
