import { entryName, type Answer, type Draft } from "./draft.ts";
import { evaluate, specOf } from "./evaluate.server.ts";
import { readEntry, specValues } from "./read-draft.server.ts";
import { withoutRow, withRow } from "./rows.ts";
import { entriesOf, entryAt, firstWithForm, type SpecTable } from "./table.server.ts";
import { rowCount, under } from "./values.ts";
import { readSpec, wrappedSpec, writeSpec } from "./yaml.server.ts";

/** The answer to a form that asks for nothing to be mended. */
export const answerOf = (draft: Draft, more: Partial<Answer> = {}): Answer => ({
  draft: { ...draft, round: draft.round + 1 },
  problems: [],
  lines: [],
  errors: [],
  isWrapped: false,
  conflict: null,
  tested: null,
  focus: null,
  ...more,
});

/**
 * What the buttons inside a form do, with or without script: a row more or less, fields or code, another entry. Nothing
 * is saved and nothing that was typed is lost. Null: no such step.
 */
export function step(table: SpecTable, draft: Draft, asked: string): Answer | null {
  const [, verb, rest = ""] = /^(\w+)(?::(.*))?$/s.exec(asked) ?? [];
  switch (verb) {
    case "add": {
      const row = under(rest, rowCount(draft.values, rest));
      return answerOf({ ...draft, values: withRow(draft.values, rest) }, { focus: row });
    }
    case "remove": {
      const [, path = "", index = ""] = /^(.*)\.(\d+)$/.exec(rest) ?? [];
      return answerOf(
        { ...draft, values: withoutRow(draft.values, path, Number(index)) },
        { focus: `${path}@add` },
      );
    }
    case "code": {
      const spec = specOf(table, draft);
      return answerOf({ ...draft, as: "code", code: spec ? writeSpec(spec) : draft.code });
    }
    case "form":
      return toForm(table, draft);
    case "entry":
      return toEntry(table, draft, rest);
    case "unwrap": {
      const { spec } = readSpec(draft.code);
      const inner = spec && wrappedSpec(spec);
      return inner ? answerOf({ ...draft, code: writeSpec(inner) }) : answerOf(draft);
    }
    default:
      return null;
  }
}

/** From code to fields: what cannot be read stays code, with the reason at its line. */
function toForm(table: SpecTable, draft: Draft): Answer {
  if (draft.as === "form") return answerOf(draft);
  const { spec, lines, isWrapped } = evaluate(table, draft);
  if (!spec)
    return answerOf(draft, { lines, errors: ["The code cannot be read, so it cannot be shown as a form."] });
  const at = draft.at && entryAt(spec, draft.at) ? draft.at : firstWithForm(table, spec);
  if (!at || !table.fieldsOf(at.type))
    return answerOf(draft, {
      lines,
      isWrapped,
      errors: ["Nothing in it has a form: it can only be written as code."],
    });
  return answerOf(redrawn(table, { ...draft, as: "form", base: spec, at }));
}

function toEntry(table: SpecTable, draft: Draft, name: string): Answer {
  const spec = specOf(table, draft);
  const at = readEntry(name);
  const isThere = spec && at && entriesOf(table, spec).some((entry) => entryName(entry) === entryName(at));
  if (!isThere || !table.fieldsOf(at.type)) return answerOf(draft);
  return answerOf(redrawn(table, { ...draft, as: "form", base: spec, at }));
}

/** The inputs of the spec drawn from `base`; those of the resource itself stay as typed. */
function redrawn(table: SpecTable, draft: Draft): Draft {
  const own = Object.fromEntries(Object.entries(draft.values).filter(([name]) => name.startsWith("r.")));
  return { ...draft, values: { ...own, ...specValues(table, draft.base, draft.at) } };
}
