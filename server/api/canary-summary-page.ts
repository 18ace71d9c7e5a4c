/**
 * A page of checks in one call (feature `summary.page`; DESIGN decision 14): `POST /canary/api/summary` with a `page` in
 * its body. Other backends do not know the parameter and answer their plain summary.
 */
import type pg from "pg";
import {
  CheckPageQuestion,
  type CheckLine,
  type CheckPage,
  type CheckPivot,
  type GroupLine,
} from "#app/contract/rows/check-page.ts";
import { detailsOf } from "./canary-summary-details.ts";
import { linesOf } from "./canary-summary-lines.ts";
import { pivotOf } from "./canary-summary-pivot.ts";
import type { Statement } from "./canary-summary-sql.ts";
import { ApiError } from "./errors.ts";
import { createStatementNames } from "./rest/pipeline.ts";

/** Different questions that are prepared, on each connection; a plan takes some hundred kilobytes. */
const MOST_PREPARED = 24;

/** The question of a body that has one, undefined when it asks for the plain summary. Throws ApiError 400 that names the field. */
export function pageQuestion(body: unknown): CheckPageQuestion | undefined {
  if (typeof body !== "object" || body === null || !("page" in body)) return undefined;
  const read = CheckPageQuestion.safeParse(body.page);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new ApiError(400, `${["page", ...(issue?.path ?? [])].join(".")}: ${issue?.message ?? "is wrong"}`);
}

/** A line before its details. `id` is null for the line of a group. */
interface Line {
  id: string | null;
  grp: string;
  n: number;
  passing: number;
  failing: number;
  moved: string | null;
  open: boolean;
}
interface Lines extends Everything {
  lines: Line[];
  total: number;
  members: Record<string, string[]>;
}
type Tabs = { value: string | null; checks: number; failing: number }[];
interface Pivoted extends Omit<CheckPivot, "more">, Everything {
  all_columns: number;
  total: number;
}
interface Everything extends Pick<CheckPage, "counts" | "own" | "labels"> {
  matched: CheckPage["matched"] | null;
  tabs: Tabs;
}
type Summed = Pick<GroupLine, "perfect" | "passed" | "failed" | "latency" | "type" | "namespaces"> & {
  grp: string;
};
interface Details {
  checks: Omit<CheckLine, "kind" | "group">[];
  groups: Summed[];
}

/** Two statements, one for a pivot, whatever is asked and however many checks there are. */
export async function summaryPage(client: pg.ClientBase, question: CheckPageQuestion): Promise<CheckPage> {
  const one = async <Row extends object>({ text, values }: Statement): Promise<Row> => {
    const name = nameOf(text);
    return (await client.query<Row>(name ? { name, text, values } : { text, values })).rows[0]!;
  };
  if (question.pivotLabel !== "") {
    const answer = await one<Pivoted>(pivotOf(question));
    const { all_columns, total, columns, rows } = answer;
    const pivot = { columns, rows, more: all_columns - columns.length };
    return { ...everythingIn(question, answer), total, lines: [], pivot };
  }
  const answer = await one<Lines>(linesOf(question));
  const drawn = headed(answer.lines);
  const ids = drawn.flatMap(({ id }) => id ?? []);
  const details = await one<Details>(detailsOf(question, { ids, members: answer.members }));
  return {
    ...everythingIn(question, answer),
    total: answer.total,
    lines: assemble(drawn, details),
    pivot: null,
  };
}

/** Planning costs as much as a third of the work; what is asked again and again is planned once a connection. */
const nameOf = createStatementNames({ prefix: "summary", most: MOST_PREPARED });

const everythingIn = (
  { timeRange }: CheckPageQuestion,
  { counts, matched, own, labels, tabs }: Everything,
): Omit<CheckPage, "total" | "lines" | "pivot"> => ({
  counts,
  matched: matched ?? counts,
  own,
  labels,
  ranged: timeRange !== "",
  ...foundIn(tabs),
});

const foundIn = (tabs: Tabs): Pick<CheckPage, "tabs" | "found"> => ({
  tabs: tabs.filter((tab): tab is CheckPage["tabs"][number] => tab.value !== null),
  found: {
    checks: tabs.reduce((sum, { checks }) => sum + checks, 0),
    failing: tabs.reduce((sum, { failing }) => sum + failing, 0),
  },
});

/** Before the checks of an open group, its own line; also on a page that begins inside one. */
const headed = (lines: Line[]): Line[] =>
  lines.flatMap((line, index) =>
    line.id !== null && line.n > 1 && lines[index - 1]?.grp !== line.grp
      ? [{ ...line, id: null }, line]
      : line,
  );

/** What was deleted between two statements is left out. */
function assemble(lines: Line[], details: Details): CheckPage["lines"] {
  const checks = new Map(details.checks.map((check) => [check.id, check]));
  const groups = new Map(details.groups.map(({ grp, ...group }) => [grp, group]));
  return lines.flatMap((line): CheckPage["lines"] => {
    if (line.id !== null) {
      const check = checks.get(line.id);
      return check ? [{ kind: "check", group: line.n > 1 ? line.grp : null, ...check }] : [];
    }
    const group = groups.get(line.grp);
    const { grp: key, n, passing, failing, moved, open } = line;
    return group ? [{ kind: "group", key, open, checks: n, passing, failing, moved, ...group }] : [];
  });
}
