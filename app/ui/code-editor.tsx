import type { ReactNode, TextareaHTMLAttributes } from "react";
import { Enhance } from "./enhance.tsx";
import { CONTROL } from "./parts/control.ts";
import { cx } from "./parts/cx.ts";
import type { Language } from "./parts/code-words.ts";
import type { LineMark } from "./parts/line-mark.ts";

type CodeEditorProps = TextareaHTMLAttributes<HTMLTextAreaElement> & {
  id: string;
  language: Language;
  /** Lines that need a look; without script whoever draws the editor lists them beside it. */
  marks?: readonly LineMark[];
};

const load = () => import("./code-editor.client.tsx");

/**
 * Code to write. The textarea is the truth: it is what the form sends, and without script it is the editor. With
 * script, an editor with line numbers and colours takes its place on the screen and keeps it up to date. Tab indents;
 * Escape and then Tab goes on to the next control.
 */
export function CodeEditor({
  id,
  language,
  marks = NO_MARKS,
  className,
  rows = 12,
  ...rest
}: CodeEditorProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)]">
      <textarea
        {...rest}
        id={id}
        rows={rows}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        className={cx(
          CONTROL,
          "resize-y bg-sunken py-2 font-mono text-xs/5 whitespace-pre [tab-size:2]",
          className,
        )}
      />
      <Enhance load={load} props={{ target: id, language, marks }}>
        {NOTHING}
      </Enhance>
    </div>
  );
}

const NO_MARKS: readonly LineMark[] = [];

/** Until the editor is there, the textarea is. */
const NOTHING: ReactNode = null;
