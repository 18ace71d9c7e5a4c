import { WrapText } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "./button.tsx";
import { Copy } from "./copy.tsx";
import { cx } from "./parts/cx.ts";
import { VOICES, wordsOfLine, type Language } from "./parts/code-words.ts";

/**
 * Code to read: numbered lines, a switch for wrapping that needs no script, a copy button that does. The numbers are
 * drawn by the style sheet, so that a selection holds only the code.
 */
export function CodeBlock({
  code,
  language = "text",
  label,
  selected = [],
  actions,
}: {
  code: string;
  language?: Language;
  /** What it is, above it: "YAML". */
  label: string;
  /** Numbers of lines that are meant, from 1. */
  selected?: readonly number[];
  actions?: ReactNode;
}) {
  const lines = code.replace(/\r?\n$/, "").split(/\r?\n/);
  return (
    <div className="group/code overflow-clip rounded-lg border border-line bg-sunken">
      <div className="flex min-h-10 flex-wrap items-center gap-2 border-b border-line bg-surface py-1 pr-2 pl-4">
        <span className="text-muted">
          {label} · {lines.length === 1 ? "1 line" : `${lines.length} lines`}
        </span>
        <span className="ml-auto flex flex-wrap items-center gap-2">
          {actions}
          <label
            title="Wrap lines"
            className={cx(
              buttonClass({ look: "quiet", size: "small", icon: true }),
              "relative cursor-pointer has-checked:bg-pressed has-focus-visible:outline-2 has-focus-visible:outline-focus",
            )}
          >
            <input
              type="checkbox"
              aria-label="Wrap lines"
              className="peer absolute inset-0 cursor-[inherit] opacity-0"
            />
            <WrapText aria-hidden="true" />
          </label>
          <Copy text={code} label={`Copy ${label}`} />
        </span>
      </div>
      <div
        role="region"
        aria-label={label}
        tabIndex={REACHABLE}
        className="overflow-x-auto focus-visible:-outline-offset-2"
      >
        <pre className="w-max min-w-full py-2 font-mono text-xs/5 [counter-reset:line] group-has-checked/code:w-full group-has-checked/code:whitespace-pre-wrap group-has-checked/code:wrap-anywhere">
          <code>
            {lines.map((line, index) => (
              <Line key={index} isSelected={selected.includes(index + 1)}>
                {wordsOfLine(line, language).map(({ voice, text }, at) => (
                  <span key={at} className={VOICES[voice]}>
                    {text}
                  </span>
                ))}
                {"\n"}
              </Line>
            ))}
          </code>
        </pre>
      </div>
    </div>
  );
}

/** What scrolls and holds nothing to focus must itself be reached by keyboard. */
const REACHABLE = 0;

function Line({ isSelected, children }: { isSelected: boolean; children: ReactNode }) {
  return (
    <span
      className={cx(
        "relative block pr-4 pl-15 [counter-increment:line] before:absolute before:left-0 before:w-12 before:pr-3 before:text-end before:text-faint before:content-[counter(line)] before:select-none",
        isSelected && "bg-code-selected shadow-[inset_2px_0_0_var(--color-accent)] before:text-accent-ink",
      )}
    >
      {children}
    </span>
  );
}
