/** What a check is about: the selectors of its spec with the values of one result (facts: engines §3.5). */
import { evaluate, type Environment, type Question } from "../expressions/index.ts";
import type { About } from "./judge.ts";
import type { Outcome } from "./runner.ts";
import type { Related, Selector } from "./selector.ts";

interface Lookup {
  value?: string | undefined;
  label?: string | undefined;
  expr?: string | undefined;
}
const FIELDS = ["id", "external_id", "name", "namespace", "type", "agent", "scope"] as const;
type Template = Partial<Record<(typeof FIELDS)[number], Lookup>> & { labels?: Record<string, string> };
/** The `relationships` of a spec, as its table of fields reads them. */
export interface Relationships {
  components?: Template[] | undefined;
  configs?: Template[] | undefined;
}

/** What the lookups of one result see. */
interface Seen {
  labels: Record<string, string>;
  environment: Environment;
}

/**
 * The result with what it is about, or each of the results that its transform made. A lookup that comes to nothing, or
 * cannot be worked out, leaves its selector out. A spec without relationships costs nothing.
 */
export async function withRelated(
  outcome: Outcome,
  relationships: Relationships | undefined,
  { environment, about, ms }: { environment: Environment | undefined; about: About; ms: number },
): Promise<Outcome> {
  if (!relationships) return outcome;
  const seenBy = (labels: Record<string, string>, { details }: Outcome): Seen => ({
    labels,
    environment: {
      ...environment,
      values: {
        results: details ?? {},
        ...environment?.values,
        canary: about.canary,
        check: { ...about.check, labels },
        duration: Math.round(ms),
      },
    },
  });
  const { transformed } = outcome;
  if (!transformed) {
    const labels = { ...outcome.labels, ...about.check.labels };
    return { ...outcome, related: await resolved(relationships, seenBy(labels, outcome)) };
  }
  const entries = await Promise.all(
    transformed.map(async (entry) => {
      const seen = seenBy({ ...about.check.labels, ...entry.labels }, entry.outcome);
      return { ...entry, outcome: { ...entry.outcome, related: await resolved(relationships, seen) } };
    }),
  );
  return { ...outcome, transformed: entries };
}

async function resolved({ components = [], configs = [] }: Relationships, seen: Seen): Promise<Related> {
  const templates = { components, configs };
  const questions: Record<string, Question> = {};
  for (const [kind, list] of Object.entries(templates))
    list.forEach((template, index) => {
      for (const field of FIELDS) {
        const { value, label, expr } = template[field] ?? {};
        if (!value && !label && expr) questions[`${kind}.${index}.${field}`] = { expr, as: "text" };
      }
    });
  const answers = Object.keys(questions).length > 0 ? await evaluate(seen.environment, questions) : {};
  const answerTo = (key: string) => {
    const answer = answers[key];
    return answer && "value" in answer ? String(answer.value) : "";
  };
  const selectorsOf = (kind: keyof Related) =>
    templates[kind].flatMap((template, index) => {
      const selector: Selector = {};
      for (const field of FIELDS) {
        const lookup = template[field];
        if (!lookup) continue;
        const { value, label } = lookup;
        const found = value || (label ? (seen.labels[label] ?? "") : answerTo(`${kind}.${index}.${field}`));
        if (found === "") return []; // without this the selector would take in too much
        selector[field] = found;
      }
      if (template.labels && Object.keys(template.labels).length > 0) selector.labels = template.labels;
      return Object.keys(selector).length > 0 ? [selector] : [];
    });
  return { components: selectorsOf("components"), configs: selectorsOf("configs") };
}
