import { FilterMenu } from "./parts/filter-menu.tsx";
import { choiceWords } from "./parts/mark-words.ts";
import { useFollow } from "./parts/use-follow.ts";
import type { Option } from "./select.tsx";

/**
 * Any number of a list behind one button: check boxes of one name, as `manyOf` of lib/search reads them. It goes into a
 * GET form; none chosen means all.
 */
export function MultiSelect({
  label,
  name,
  noun,
  options,
  chosen,
}: {
  label: string;
  name: string;
  /** Plural of what is counted: "types". */
  noun: string;
  options: readonly Option[];
  chosen: readonly string[];
}) {
  const list = useFollow<HTMLFieldSetElement>(chosen.join("\n"), (element) => {
    for (const input of element.querySelectorAll<HTMLInputElement>("input"))
      input.checked = chosen.includes(input.value);
  });
  const words = options.filter(({ value }) => chosen.includes(value)).map((option) => option.label);
  return (
    <FilterMenu
      label={label}
      words={choiceWords(words, noun)}
      isSet={words.length > 0}
      options={options.map((option) => option.label)}
    >
      {(isSeen) => (
        <fieldset ref={list}>
          <legend className="sr-only">{label}</legend>
          {options.map((option) => (
            <label
              key={option.value}
              hidden={!isSeen(option.label)}
              className="flex min-h-8 items-center gap-2 rounded-sm px-2 hover:bg-pressed has-disabled:text-faint pointer-coarse:min-h-11 [&[hidden]]:hidden"
            >
              <input
                type="checkbox"
                name={name}
                value={option.value}
                defaultChecked={chosen.includes(option.value)}
                disabled={option.disabled}
                autoComplete="off"
                className="size-4 flex-none"
              />
              <span className="min-w-0 truncate">{option.label}</span>
            </label>
          ))}
        </fieldset>
      )}
    </FilterMenu>
  );
}
