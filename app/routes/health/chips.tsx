import { Link } from "@remix-run/react";
import { X } from "lucide-react";
import { TIME_RANGES } from "#app/contract/words/checks.ts";
import { labelWords } from "#app/features/checks/label-marks.ts";
import { listPath, listRange, type HealthSearch } from "#app/features/checks/paths.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { capitalised } from "#app/ui/marks/status.tsx";

interface Chip {
  name: string;
  words: string;
  /** The list without it. */
  without: Partial<HealthSearch>;
}

/** What `status` means besides its word. */
const MEANS: ReadonlyMap<string, string> = new Map([
  ["warning", "Warning (mixed groups)"],
  ["unknown", "Unknown (never ran)"],
]);

/** Everything the list is filtered by, as what takes it away again. What passes and is hidden is no chip, it has a
 * switch; and what is searched for stands in its box. */
export function filtersOf(search: HealthSearch): Chip[] {
  const { status, labels } = search;
  const range = TIME_RANGES.find(({ value }) => value === listRange(search));
  return [
    ...(status === "all"
      ? []
      : [
          {
            name: "Health",
            words: MEANS.get(status) ?? capitalised(status),
            without: { status: "all" as const },
          },
        ]),
    ...(range ? [{ name: "Time range", words: range.label, without: { timeRange: "" as const } }] : []),
    ...Object.entries(labels).map(([id, mark]) => ({
      name: mark === 1 ? "Label" : "Not",
      words: labelWords(id),
      without: { labels: Object.fromEntries(Object.entries(labels).filter(([other]) => other !== id)) },
    })),
  ];
}

const cleared = { status: "all", query: "", timeRange: "", labels: {} } as const;

/** The filters that are on, each a link that takes it away. */
export function Chips({ search }: { search: HealthSearch }) {
  const chips = filtersOf(search);
  if (chips.length === 0) return null;
  const look = buttonClass({ size: "small", className: "max-w-full pointer-coarse:min-h-11" });
  return (
    <ul aria-label="Filters that are on" className="flex flex-wrap items-center gap-2">
      {chips.map(({ name, words, without }) => (
        <li key={`${name} ${words}`} className="flex min-w-0">
          <Link
            to={listPath(search, without)}
            preventScrollReset
            aria-label={`${name}: ${words}, remove this filter`}
            className={look}
          >
            <span className="font-normal text-muted">{name}</span>
            <span className="truncate">{words}</span>
            <X aria-hidden="true" />
          </Link>
        </li>
      ))}
      {chips.length > 1 ? (
        <li>
          <Link
            to={listPath(search, cleared)}
            preventScrollReset
            className={buttonClass({ look: "quiet", size: "small", className: "pointer-coarse:min-h-11" })}
          >
            Clear all
          </Link>
        </li>
      ) : null}
    </ul>
  );
}
