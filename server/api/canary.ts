/** `/canary/*`: what the health pages ask besides `/db` (backend §6.9, §7). */
import { hostname } from "node:os";
import type pg from "pg";
import { SUMMARY_PAGE, type CheckPageQuestion } from "#app/contract/rows/check-page.ts";
import { CHECK_TRANSITIONS } from "#app/contract/rows/check-drawer.ts";
import { CANARY_TEST } from "#app/contract/words/resources.ts";
import { INVITATIONS, INVITE, USERS_PAGE } from "#app/contract/words/people.ts";
import { ACCESS_TOKENS } from "#app/contract/words/tokens.ts";
import { PERMISSION_RIGHTS } from "#app/contract/rows/permissions.ts";
import { IMPORT_CANARIES } from "#app/contract/rows/import-report.ts";
import type { CheckEngine } from "#server/engines/index.ts";
import type { AsCaller } from "./caller.ts";
import { checkGraph, graphRange } from "./canary-graph.ts";
import { runCheck } from "./canary-run.ts";
import { checkTransitions, transitionPaging } from "./check-transitions.ts";
import { canaryTestRoute } from "./canary-test.ts";
import { pageQuestion, summaryPage } from "./canary-summary-page.ts";
import { listSummaries, summaryFilter } from "./canary-summary.ts";
import { ApiError } from "./errors.ts";
import type { Principal } from "./principal.ts";
import type { ApiContext, Route } from "./router.ts";
import type { SharedAnswers } from "./shared-answers.ts";

export interface CanaryNeeds {
  asCaller: AsCaller;
  /** The owner's pool, for the sums that are no relation of the contract. */
  pool: pg.Pool;
  engine: Pick<CheckEngine, "run" | "test">;
  /** The backend's version, as the user menu shows it. */
  version: string;
  /** What it can do beyond the contract; all of it unless said. */
  features?: readonly string[];
  now?: () => Date;
  /** Answers that many ask for at once; none are shared where there is none. */
  shared?: SharedAnswers;
}

/** What it can do only where accounts are its own, and not those of an identity service elsewhere. */
const ACCOUNTS: readonly string[] = [INVITE, INVITATIONS];

/** What this control plane can do beyond the contract (DESIGN, decision 14). Absent names are done by the web itself. */
export const FEATURES: readonly string[] = [
  "whoami.properties",
  SUMMARY_PAGE,
  CHECK_TRANSITIONS,
  "heartbeats",
  CANARY_TEST,
  IMPORT_CANARIES,
  ACCESS_TOKENS,
  "kubeconfig",
  USERS_PAGE,
  ...ACCOUNTS,
  PERMISSION_RIGHTS,
];
/** The same where people sign in by an identity service elsewhere. */
export const FEATURES_WITHOUT_ACCOUNTS = FEATURES.filter((name) => !ACCOUNTS.includes(name));
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function canaryRoutes({
  asCaller,
  pool,
  engine,
  version,
  features: offered = FEATURES,
  now = () => new Date(),
  shared,
}: CanaryNeeds): Route[] {
  const runnerName = hostname();

  /** A page of checks, that of a moment ago where many windows ask for it: a role's rights and a person's records decide what is in it. */
  function pageFor(principal: Principal, question: CheckPageQuestion) {
    const work = () => asCaller(principal, (client) => summaryPage(client, question));
    return shared?.ask(JSON.stringify([principal.dbRole, principal.personId, question]), work) ?? work();
  }

  async function summary(c: ApiContext): Promise<Response> {
    const started = performance.now();
    const sent = await body(c);
    const question = pageQuestion(sent);
    if (question) {
      const page = await pageFor(c.get("principal"), question);
      return c.json({ duration: Math.round(performance.now() - started), runnerName, page });
    }
    const filter = summaryFilter(c.req.query(), sent);
    const rows = await asCaller(c.get("principal"), (client) => listSummaries(client, filter));
    return c.json({
      duration: Math.round(performance.now() - started),
      runnerName,
      ...(rows.length > 0 ? { checks_summary: rows } : {}),
    });
  }

  async function graph(c: ApiContext): Promise<Response> {
    const started = performance.now();
    const id = idOf(c.req.query("check"), "check");
    const range = graphRange(c.req.query(), now());
    const answer = await checkGraph({ asCaller, pool, principal: c.get("principal") }, id, range);
    return c.json({ duration: Math.round(performance.now() - started), runnerName, ...answer });
  }

  async function transitions(c: ApiContext): Promise<Response> {
    const id = idOf(c.req.param("id"), "id", 404);
    const [range, paging] = [graphRange(c.req.query(), now()), transitionPaging(c.req.query())];
    return c.json(
      await checkTransitions({ asCaller, pool, principal: c.get("principal") }, id, range, paging),
    );
  }

  async function details(c: ApiContext): Promise<Response> {
    const id = idOf(c.req.query("key"), "key");
    const time = new Date(c.req.query("time") ?? "");
    if (Number.isNaN(time.getTime()))
      throw new ApiError(400, "time must be the time of a status, as /db shows it");
    const { rows } = await asCaller(c.get("principal"), (client) =>
      client.query<{ details: unknown }>(
        `select details from public.check_statuses
         where check_id = $1 and time >= $2::timestamptz and time < $2::timestamptz + interval '1 millisecond' limit 1`,
        [id, time],
      ),
    );
    if (!rows[0]) throw new ApiError(404, "There is no such status");
    return c.json(rows[0].details);
  }

  return [
    { method: "GET", path: "/canary/api/summary", who: "read:canaries", handler: summary },
    { method: "POST", path: "/canary/api/summary", who: "read:canaries", reads: true, handler: summary },
    { method: "GET", path: "/canary/api/graph", who: "read:canaries", handler: graph },
    { method: "GET", path: "/canary/api/details", who: "read:canaries", handler: details },
    { method: "GET", path: "/ph/checks/:id/transitions", who: "read:canaries", handler: transitions },
    {
      method: "POST",
      path: "/canary/run/check/:id",
      who: "run:check",
      about: { right: "run", kind: "check", param: "id" },
      handler: async (c) => c.json(await runCheck(engine, idOf(c.req.param("id"), "id", 404))),
    },
    canaryTestRoute(engine),
    {
      method: "GET",
      path: "/canary/about",
      who: "signed-in",
      handler: (c) => {
        const features = c.get("principal").via === "stranger" ? [SUMMARY_PAGE] : offered;
        return c.json({ Timestamp: now().toISOString(), Version: version, features });
      },
    },
  ];
}

function idOf(value: string | undefined, name: string, status: 400 | 404 = 400): string {
  if (value && UUID.test(value)) return value;
  throw new ApiError(status, status === 404 ? "There is no such check" : `${name} must be the id of a check`);
}

/** The JSON object that came along, or nothing. A GET has no body: what it asks of a page is JSON in its query. */
async function body(c: ApiContext): Promise<unknown> {
  if (c.req.method === "GET") {
    const page = c.req.query("page");
    return page === undefined ? undefined : { page: parsed(page, "page must be JSON") };
  }
  const text = await c.req.text();
  return text.trim() === "" ? undefined : parsed(text, "The body must be JSON");
}

function parsed(text: string, otherwise: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(400, otherwise);
  }
}
