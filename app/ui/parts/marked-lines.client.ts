import { RangeSet, StateField, type Extension } from "@codemirror/state";
import { Decoration, EditorView, type DecorationSet } from "@codemirror/view";
import type { LineMark } from "./line-mark.ts";

const LOOK = EditorView.baseTheme({
  ".cm-marked-line": {
    backgroundColor: "var(--color-unhealthy-wash)",
    boxShadow: "inset 2px 0 0 var(--color-unhealthy)",
  },
});

/** Lines with something to say: lit, their words in the title. They move along with the text around them. */
export function markedLines(marks: readonly LineMark[]): Extension {
  const words = new Map<number, string>();
  for (const { line, message } of marks)
    words.set(line, [words.get(line), message].filter(Boolean).join("\n"));
  const field = StateField.define<DecorationSet>({
    create: ({ doc }) =>
      RangeSet.of(
        [...words]
          .filter(([line]) => line >= 1 && line <= doc.lines)
          .sort(([one], [other]) => one - other)
          .map(([line, title]) =>
            Decoration.line({ class: "cm-marked-line", attributes: { title } }).range(doc.line(line).from),
          ),
      ),
    update: (drawn, { changes }) => drawn.map(changes),
    provide: (from) => EditorView.decorations.from(from),
  });
  return [field, LOOK];
}
