import { Check, Minus, X } from "lucide-react";
import { useRef, type ChangeEvent, type MouseEvent } from "react";
import { FilterMenu } from "./parts/filter-menu.tsx";
import { cx } from "./parts/cx.ts";
import { markWords, type MarkState, type Marks } from "./parts/mark-words.ts";
import { useFollow } from "./parts/use-follow.ts";

const STATES = [
  { value: "-1", word: "Exclude", icon: X, chosen: "has-checked:bg-muted has-checked:text-surface" },
  { value: "", word: "Either", icon: Minus, chosen: "has-checked:text-ink" },
  { value: "1", word: "Include", icon: Check, chosen: "has-checked:bg-accent has-checked:text-on-accent" },
] as const;

/**
 * Include (1), none, exclude (-1): three radios in a row (specification 1 §4). The middle one is the resting place; with
 * script a press on the chosen one leads back to it. The name of the group is `<name>.<option>`, which `markFields` of
 * lib/search reads, so the form works without script.
 */
export function TriState({
  name,
  option,
  label = option,
  state,
  hidden = false,
}: {
  name: string;
  option: string;
  label?: string;
  state: MarkState;
  hidden?: boolean;
}) {
  const value = state === 0 ? "" : String(state);
  const choose = (row: HTMLElement, wanted: string) =>
    [...row.querySelectorAll("input")].find((input) => input.value === wanted);
  const row = useFollow<HTMLFieldSetElement>(value, (element) => {
    const input = choose(element, value);
    if (input) input.checked = true;
  });
  const chosen = useRef(value);

  const changed = ({ target }: ChangeEvent<HTMLFieldSetElement>) => {
    chosen.current = (target as unknown as HTMLInputElement).value;
  };
  /** A radio that is chosen already says nothing when it is pressed again: then none is pressed instead. */
  function pressed({ currentTarget }: MouseEvent<HTMLInputElement>) {
    const wasChosen = chosen.current === currentTarget.value && currentTarget.value !== "";
    if (wasChosen && row.current) choose(row.current, "")?.click();
  }
  return (
    <fieldset
      ref={row}
      hidden={hidden}
      onChange={changed}
      className="flex min-h-8 items-center justify-between gap-3 pointer-coarse:min-h-11 [&[hidden]]:hidden"
    >
      <legend className="sr-only">{label}</legend>
      <span aria-hidden="true" className="min-w-0 truncate" title={label}>
        {label}
      </span>
      <span className="inline-flex flex-none rounded-full">
        {STATES.map(({ value: one, word, icon: Icon, chosen: look }) => (
          <label
            key={one}
            title={`${word} ${label}`}
            className={cx(
              "relative grid h-6 w-6.5 cursor-pointer place-items-center rounded-full text-faint hover:bg-pressed hover:text-ink pointer-coarse:size-11",
              "has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus forced-colors:has-checked:outline-1",
              look,
            )}
          >
            <input
              type="radio"
              name={`${name}.${option}`}
              value={one}
              defaultChecked={one === value}
              aria-label={word}
              autoComplete="off"
              onClick={pressed}
              className="absolute inset-0 cursor-[inherit] opacity-0"
            />
            <Icon aria-hidden="true" className="size-3" />
          </label>
        ))}
      </span>
    </fieldset>
  );
}

/**
 * Many tri-states behind one button: "Labels **eu-west, not platform**", "Labels **including 4 labels**" from four
 * (specification 1 §2). It goes into a GET form.
 */
export function TriStateSelect({
  label,
  name,
  noun,
  options,
  marks,
}: {
  label: string;
  name: string;
  /** Plural of what is counted: "labels". */
  noun: string;
  options: readonly { value: string; label?: string }[];
  marks: Marks;
}) {
  const words = new Map(options.map((option) => [option.value, option.label ?? option.value]));
  const named = Object.fromEntries(Object.entries(marks).map(([id, mark]) => [words.get(id) ?? id, mark]));
  return (
    <FilterMenu
      label={label}
      words={markWords(named, noun)}
      isSet={Object.keys(marks).length > 0}
      options={options.map(({ value, label: words = value }) => words)}
    >
      {(isSeen) =>
        options.map(({ value, label: words = value }) => (
          <div key={value} className="px-2">
            <TriState
              name={name}
              option={value}
              label={words}
              state={Object.hasOwn(marks, value) ? (marks[value] ?? 0) : 0}
              hidden={!isSeen(words)}
            />
          </div>
        ))
      }
    </FilterMenu>
  );
}
