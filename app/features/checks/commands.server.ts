import { CheckRun, checkStatusRow } from "#app/contract/rows/check-drawer.ts";
import { canaryIdRow, checkIdRow } from "#app/contract/rows/checks.ts";
import type { Api } from "#app/lib/api.server.ts";
import { eq, orderBy } from "#app/lib/filter.ts";
import { iso } from "#app/lib/format/age.ts";
import { duration } from "#app/lib/format/duration.ts";
import { UpstreamError } from "#app/lib/upstream-error.ts";

/** A run is as long as the check takes; the engine has its own limit, which is shorter. */
const TIMEOUT_MS = 120_000;

type Toast = { type: "success" | "error"; message: string };

/**
 * Runs a check now: how it went as a toast, and the instant of its run for the address that shows it in full, null when
 * nothing was stored. A check that fails is news, not an error of ours; when the run itself fails the server's own words
 * are shown (specification 1 §8). Other refusals (4xx) are thrown for the form.
 */
export async function runCheckNow(api: Api, id: string): Promise<{ toast: Toast; run: string | null }> {
  const path = `/canary/run/check/${encodeURIComponent(id)}`;
  try {
    const run = await api.call(path, CheckRun, { method: "POST", body: {}, timeoutMs: TIMEOUT_MS });
    return { toast: toastOf(run), run: run && (iso(run.start) ?? (await newestRun(api, id))) };
  } catch (error) {
    if (error instanceof UpstreamError && error.status >= 500)
      return { toast: { type: "error", message: error.message }, run: null };
    throw error;
  }
}

/** The words for either answer: a result, or the sums that some backends send. */
function toastOf(run: CheckRun): Toast {
  if (!run) return { type: "error", message: "Nothing ran: its canary does not have this check any more" };
  const time = run.duration ? ` in ${duration(run.duration)}` : "";
  if (typeof run.total === "number" && typeof run.pass !== "boolean") {
    const failed = run.failed ?? 0;
    const reasons = (run.errors ?? []).map(reasonOf).filter(Boolean).join("; ");
    if (failed === 0 && !reasons) return { type: "success", message: `Check passed${time}` };
    return {
      type: "error",
      message: `Check failed${time}: ${reasons || `${failed} of ${run.total} failed`}`.slice(0, 1000),
    };
  }
  if (run.pass) return { type: "success", message: `Check passed${time}` };
  const reason = run.error || run.message || "no reason given";
  return { type: "error", message: `Check failed${time}: ${reason}`.slice(0, 1000) };
}

/** "name: what happened", whatever an error is made of. */
const reasonOf = (error: unknown): string =>
  typeof error === "object" && error !== null
    ? Object.entries(error)
        .map(([name, words]) => `${name}: ${typeof words === "string" ? words : JSON.stringify(words)}`)
        .join(", ")
    : String(error ?? "");

/** A backend that does not say when it ran has stored it last. */
async function newestRun(api: Api, id: string): Promise<string | null> {
  const row = await api.find(checkStatusRow, { check_id: eq(id), order: orderBy("time.desc") });
  return iso(row?.time) ?? null;
}

/** How often a first check looks. */
const FIRST_SCHEDULE = "@every 30s";
/** How long the page waits for the engine to take up a new canary, and between two looks for it, ms. */
const TAKEN_UP = { within: 5000, every: 100 };
/** SQLSTATE of a name that is taken. */
const TAKEN = "23505";

/**
 * A canary with one http check of this address, named for its host. The id of the check, or null when the engine has not
 * made it within five seconds.
 */
export async function addHttpCheck(api: Api, url: string): Promise<{ name: string; id: string | null }> {
  const name = nameOf(url);
  const canary = await insertNamed(api, name, (named) => ({
    name: named,
    namespace: "default",
    source: "UI",
    spec: { schedule: FIRST_SCHEDULE, http: [{ name, url }] },
  }));
  for (const end = Date.now() + TAKEN_UP.within; Date.now() < end;) {
    const check = await api.find(checkIdRow, { canary_id: eq(canary.id) });
    if (check) return { name, id: check.id };
    await new Promise((done) => setTimeout(done, TAKEN_UP.every));
  }
  return { name, id: null };
}

const nameOf = (url: string) =>
  new URL(url).host
    .toLowerCase()
    .replace(/[^a-z\d.-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "") || "web";

/** Under this name, or this name with a number when somebody has it. */
async function insertNamed(api: Api, name: string, body: (name: string) => object) {
  for (let number = 1; ; number += 1) {
    try {
      return await api.insert(canaryIdRow, body(number === 1 ? name : `${name}-${number}`));
    } catch (error) {
      if (!(error instanceof UpstreamError) || error.code !== TAKEN || number === 20) throw error;
    }
  }
}
