import { EditorState, RangeSetBuilder } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  keymap,
  lineNumbers,
  ViewPlugin,
  type DecorationSet,
} from "@codemirror/view";
import { minimalSetup } from "codemirror";
import { useEffect, useRef } from "react";
import type { LineMark } from "./parts/line-mark.ts";
import { markedLines } from "./parts/marked-lines.client.ts";
import { VOICES, wordsOfLine, type Language } from "./parts/code-words.ts";

/** The same colours as code to read has, by the same rules; only the lines in sight are looked at. */
function colours(language: Language) {
  const draw = ({ state, visibleRanges }: EditorView): DecorationSet => {
    const builder = new RangeSetBuilder<Decoration>();
    for (const { from, to } of visibleRanges)
      for (let line = state.doc.lineAt(from); ; line = state.doc.line(line.number + 1)) {
        let at = line.from;
        for (const { voice, text } of wordsOfLine(line.text, language)) {
          const look = VOICES[voice];
          if (look) builder.add(at, at + text.length, Decoration.mark({ class: look }));
          at += text.length;
        }
        if (line.to >= to || line.number === state.doc.lines) break;
      }
    return builder.finish();
  };
  return ViewPlugin.define(
    (view) => ({
      drawn: draw(view),
      update({ docChanged, viewportChanged, view: changed }) {
        if (docChanged || viewportChanged) this.drawn = draw(changed);
      },
    }),
    { decorations: ({ drawn }) => drawn },
  );
}

const LOOK = EditorView.theme({
  "&": { fontSize: "var(--text-xs)", color: "var(--color-ink)", backgroundColor: "var(--color-sunken)" },
  "&.cm-focused": { outline: "2px solid var(--color-focus)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "1.25rem" },
  ".cm-content": { padding: "0.5rem 0", caretColor: "var(--color-ink)" },
  ".cm-cursor": { borderLeftColor: "var(--color-ink)" },
  ".cm-gutters": { backgroundColor: "var(--color-sunken)", color: "var(--color-faint)", border: "0" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--color-code-selected)",
  },
});

/** How long after Escape a Tab leads out, ms. */
const LEAVE_MS = 5_000;

/** Two spaces, as YAML wants them. Escape lets the next Tab through: the editor's own way out, said in its label. */
const INDENT = keymap.of([
  {
    key: "Tab",
    run: ({ state, dispatch }) => {
      if (state.readOnly) return false;
      dispatch(state.update(state.replaceSelection("  "), { scrollIntoView: true, userEvent: "input" }));
      return true;
    },
  },
  {
    key: "Escape",
    run: (view) => {
      view.setTabFocusMode(LEAVE_MS);
      return true; // handled here, it does not also close the drawer or dialog around the editor
    },
  },
]);

/** The editor over the textarea with the id `target`, which it takes out of sight and keeps up to date. */
export default function CodeEditorIsland({
  target,
  language,
  marks,
}: {
  target: string;
  language: Language;
  marks: readonly LineMark[];
}) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const textarea = document.getElementById(target);
    if (!place.current || !(textarea instanceof HTMLTextAreaElement)) return;
    const view = createEditor(place.current, textarea, language, marks);
    const uncover = cover(textarea, view);
    return () => {
      uncover();
      view.destroy();
    };
  }, [target, language, marks]);
  return (
    <div
      ref={place}
      className="grid max-h-[36rem] min-h-40 resize-y overflow-auto rounded-md border border-control bg-sunken"
    />
  );
}

/** Out of sight, but still what a label's click and the link of an error summary lead to: then the editor is meant. */
function cover(textarea: HTMLTextAreaElement, view: EditorView): () => void {
  const { style, tabIndex } = textarea;
  const before = style.cssText;
  style.cssText =
    "position:absolute;inline-size:1px;block-size:1px;min-block-size:0;opacity:0;pointer-events:none";
  textarea.tabIndex = -1;
  textarea.setAttribute("aria-hidden", "true");
  const focused = () => view.focus();
  /** A link to the editor that names a line leads to that line. */
  const followed = ({ target }: MouseEvent) => {
    const link = (target as Element).closest<HTMLElement>(`a[href="#${textarea.id}"][data-line]`);
    const line = Number(link?.dataset["line"]);
    if (!link || !(line >= 1 && line <= view.state.doc.lines)) return;
    view.dispatch({ selection: { anchor: view.state.doc.line(line).from }, scrollIntoView: true });
  };
  const reset = () => setTimeout(() => replace(view, textarea.value)); // after the browser has put the text back
  textarea.addEventListener("focus", focused);
  document.addEventListener("click", followed);
  textarea.form?.addEventListener("reset", reset);
  return () => {
    style.cssText = before;
    textarea.tabIndex = tabIndex;
    textarea.removeAttribute("aria-hidden");
    textarea.removeEventListener("focus", focused);
    document.removeEventListener("click", followed);
    textarea.form?.removeEventListener("reset", reset);
  };
}

const replace = (view: EditorView, text: string) =>
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });

function createEditor(
  parent: HTMLElement,
  textarea: HTMLTextAreaElement,
  language: Language,
  marks: readonly LineMark[],
): EditorView {
  const label = textarea.getAttribute("aria-label") ?? textarea.labels[0]?.textContent ?? "Code";
  const said = ["aria-describedby", "aria-invalid", "aria-required"].flatMap((name) => {
    const value = textarea.getAttribute(name);
    return value === null ? [] : [[name, value] as const];
  });
  const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
  return new EditorView({
    parent,
    doc: textarea.value,
    extensions: [
      INDENT,
      minimalSetup,
      lineNumbers(),
      colours(language),
      markedLines(marks),
      LOOK,
      EditorView.lineWrapping,
      EditorState.tabSize.of(2),
      EditorState.readOnly.of(textarea.readOnly || textarea.disabled),
      EditorView.contentAttributes.of({
        tabindex: "0", // it is focusable without; tools that look for what scrolls by keyboard want to read it
        "aria-label": `${label}. Tab indents; press Escape, then Tab, to leave.`,
        ...Object.fromEntries(said),
      }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (!docChanged) return;
        textarea.value = state.doc.toString();
        textarea.dispatchEvent(new Event("input", { bubbles: true }));
      }),
      ...(nonce ? [EditorView.cspNonce.of(nonce)] : []),
    ],
  });
}
