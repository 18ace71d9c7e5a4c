import { data } from "@remix-run/node";
import { Conflict, UpstreamError } from "#app/lib/upstream-error.ts";
import { typedForm } from "#app/lib/posted-form.server.ts";
import { KEPT_WORDS } from "#app/lib/signed-out.ts";
import { redirectWithToast } from "#app/lib/toast.server.ts";
import { differences } from "./differences.ts";
import { entryName, OF_RESOURCE, type Answer, type Draft, type Drawing, type TestedCheck } from "./draft.ts";
import { evaluate } from "./evaluate.server.ts";
import { FINDINGS, TESTED } from "./places.ts";
import { readDraft, type Identity } from "./read-draft.server.ts";
import { answerOf, step } from "./steps.server.ts";
import { entriesOf, entryAt, type SpecTable } from "./table.server.ts";
import { isMap, type Json } from "./values.ts";

/** What can be done with a valid draft. */
export interface Doings {
  /** Writes it; says where to go then and what to say there. `seen` is null when it is to be saved anyway. */
  save(what: Identity & { spec: Json }, seen: string | null): Promise<{ to: string; toast: string }>;
  /** Runs it once. */
  test(what: Identity & { spec: Json }): Promise<TestedCheck[]>;
  /** The row that somebody else wrote meanwhile, as the form would have it. */
  theirs(current: unknown): { seen: string; spec: Json } | null;
  /** Name and namespace of what exists already: whatever a form says, they stay. */
  fixed: Pick<Identity, "name" | "namespace"> | null;
}

/**
 * The POST of a spec's form. Steps inside the form answer 200 with the form; invalid input 400, a refusal of upstream
 * 422, a row somebody else changed 409, each with all that was typed; saving redirects with a toast.
 */
export async function editSpec(request: Request, table: SpecTable, doings: Doings) {
  const { form, isBack } = await typedForm(request);
  const asked = form.get("step");
  const draft = withFixed(readDraft(form), doings.fixed);
  if (isBack) return answered(table, answerOf(draft, { errors: [KEPT_WORDS], focus: FINDINGS }), 200);
  if (typeof asked === "string" && asked !== "test" && asked !== "anyway") {
    const answer = step(table, draft, asked);
    if (!answer) throw new Response(`Unknown step "${asked}"`, { status: 400 });
    return answered(table, answer, answer.errors.length > 0 ? 400 : 200);
  }
  const { identity, spec, ...wrong } = evaluate(table, draft);
  if (!spec || wrong.problems.length + wrong.lines.length + wrong.errors.length > 0)
    return answered(table, answerOf(draft, { ...wrong, focus: FINDINGS }), 400);
  try {
    if (asked === "test")
      return answered(
        table,
        answerOf(draft, { tested: await doings.test({ ...identity, spec }), focus: TESTED }),
        200,
      );
    const { to, toast } = await doings.save({ ...identity, spec }, asked === "anyway" ? null : draft.seen);
    return await redirectWithToast(to, toast);
  } catch (error) {
    return refused(table, draft, error, doings);
  }
}

const answered = (table: SpecTable, answer: Answer, status: number) =>
  data({ answer, drawing: drawingOf(table, answer.draft) }, { status });

/** What upstream would not do: said above the form. Everything that is ours to mend is thrown on. */
function refused(table: SpecTable, draft: Draft, error: unknown, { theirs }: Doings) {
  if (!(error instanceof UpstreamError) || error.status >= 500) throw error;
  const current = error instanceof Conflict ? theirs(error.current) : null;
  if (!current) return answered(table, answerOf(draft, { errors: [inWords(error)], focus: FINDINGS }), 422);
  const changes = differences(draft.base, current.spec).slice(0, MOST_CHANGES);
  return answered(
    table,
    answerOf(draft, { conflict: { seen: current.seen, changes }, focus: FINDINGS }),
    409,
  );
}

/** More differences than these are not read. */
const MOST_CHANGES = 30;
/** SQLSTATE of a name that is taken. */
const TAKEN = "23505";
const inWords = ({ code, message }: UpstreamError): string =>
  code === TAKEN ? "There is one of this name in this namespace already." : message;

const withFixed = (draft: Draft, fixed: Doings["fixed"]): Draft =>
  fixed
    ? {
        ...draft,
        values: {
          ...draft.values,
          [`${OF_RESOURCE}.name`]: fixed.name,
          [`${OF_RESOURCE}.namespace`]: fixed.namespace,
        },
      }
    : draft;

/** What the page needs to draw a draft: the fields of its entry, and which other entries there are. */
export function drawingOf(table: SpecTable, { base, at, as }: Draft): Drawing {
  const named = entriesOf(table, base).map((entry) => {
    const given = entryAt(base, entry);
    const name =
      isMap(given) && typeof given["name"] === "string" && given["name"] !== "" ? given["name"] : null;
    return {
      name: entryName(entry),
      label: name ?? `${table.labelOf(entry.type)} ${entry.index + 1}`,
      entry,
    };
  });
  const [first] = named;
  const type = at?.type ?? first?.entry.type;
  return {
    title: type ? `${table.labelOf(type)} check` : "Custom",
    settings: as === "form" ? table.settings : [],
    fields: as === "form" && at ? table.fieldsOf(at.type) : null,
    entries: named
      .filter(({ entry }) => table.fieldsOf(entry.type))
      .map(({ name, label }) => ({ name, label })),
  };
}
