import { ChevronDown } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { buttonClass } from "../button.tsx";
import { CONTROL } from "./control.ts";
import { Menu } from "../menu.tsx";
import { cx } from "./cx.ts";

/** Shorter lists are read faster than they are searched. */
const WORTH_SEARCHING = 8;

/**
 * A filter that opens: "Labels **eu-west, not platform**". The list is in the page, so it works without script, where it
 * has a button of its own; with script a long list can be searched.
 */
export function FilterMenu({
  label,
  words,
  isSet,
  options,
  children,
}: {
  label: string;
  /** What it is set to, in words. */
  words: string;
  isSet: boolean;
  /** What the search box looks through, in the order of the lines. */
  options: readonly string[];
  /** Draws the lines that may be seen. */
  children: (isSeen: (option: string) => boolean) => ReactNode;
}) {
  const [needle, setNeedle] = useState("");
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const isSeen = (option: string) => option.toLowerCase().includes(needle.trim().toLowerCase());
  return (
    <Menu
      label={`${label}: ${words}`}
      look="secondary"
      icon={false}
      align="start"
      trigger={
        <>
          <span className="font-normal text-muted">{label}</span>
          <span className={cx("max-w-48 truncate", isSet && "text-accent-ink")}>{words}</span>
          <ChevronDown aria-hidden="true" />
        </>
      }
    >
      <div className="grid min-w-60 gap-1 p-1 whitespace-normal">
        {isReady && options.length > WORTH_SEARCHING ? (
          <input
            type="search"
            aria-label={`Search ${label.toLowerCase()}`}
            placeholder="Search"
            value={needle}
            onChange={(event) => {
              event.stopPropagation(); // the form around it must not be sent by this
              setNeedle(event.target.value);
            }}
            onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
            className={CONTROL}
          />
        ) : null}
        <div className="grid max-h-72 overflow-y-auto overscroll-contain max-sm:max-h-[50dvh]">
          {children(isSeen)}
          {options.some(isSeen) ? null : <p className="px-2 py-1.5 text-muted">Nothing matches.</p>}
        </div>
        <noscript>
          <button className={buttonClass({ className: "mt-1 w-full" })}>Apply</button>
        </noscript>
      </div>
    </Menu>
  );
}
