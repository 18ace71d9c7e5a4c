import { Tag, sortedTags } from "./badge.tsx";

/** About how many characters fit on one line of a drawer. */
const ROOM = 84;

/**
 * Labels on one line with "+N more", which opens all of them without script. A phone has room for one. How many fit is
 * reckoned from their characters, so that server and browser say the same number.
 */
export function TagLine({ labels }: { labels: Readonly<Record<string, string>> }) {
  const tags = sortedTags(labels);
  if (tags.length === 0) return null;
  const shown = fitting(tags);
  const more = tags.length - shown;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-1">
      <ul className="contents" aria-label="Labels">
        {tags.slice(0, shown).map(([name, value]) => (
          <li key={name} className="flex min-w-0 max-sm:not-first:hidden">
            <Tag name={name} value={value} />
          </li>
        ))}
      </ul>
      {tags.length > 1 ? (
        <details
          className={
            more > 0 ? "group/tags min-w-0 open:basis-full" : "group/tags min-w-0 open:basis-full sm:hidden"
          }
        >
          <summary className="inline-flex min-h-6 cursor-pointer items-center rounded-sm px-1 text-xs font-medium text-accent-ink hover:bg-hover pointer-coarse:min-h-11">
            <span className="group-open/tags:hidden">
              <span className="max-sm:hidden">+{more} more</span>
              <span className="sm:hidden">+{tags.length - 1} more</span>
            </span>
            <span className="hidden group-open/tags:inline">Fewer labels</span>
          </summary>
          <ul aria-label="More labels" className="mt-1 flex flex-wrap gap-1">
            {tags.slice(1).map(([name, value], index) => (
              <li key={name} className={index < shown - 1 ? "flex min-w-0 sm:hidden" : "flex min-w-0"}>
                <Tag name={name} value={value} />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  );
}

/** How many tags fit on a line, at least one. */
function fitting(tags: readonly [string, string][]): number {
  let used = 0;
  const over = tags.findIndex(([name, value]) => (used += name.length + value.length + 4) > ROOM);
  return over === -1 ? tags.length : Math.max(over, 1);
}
