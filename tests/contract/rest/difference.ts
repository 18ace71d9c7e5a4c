/** What two answers to one request disagree about, and what is not compared, with the reasons. */
import { isDeepStrictEqual } from "node:util";
import type { Case } from "./case.ts";
import type { Answer } from "./harness.ts";

type Record_ = Record<string, unknown>;

/**
 * Texts that the facts call nice, not promised: where a parse failed and what the parser would have liked instead
 * (§3: clients never parse these), and guesses ("Perhaps you meant …", §15).
 */
function withoutGuesses(body: unknown): unknown {
  if (!isRecord(body) || !("code" in body)) return body;
  const { message, details, hint } = body;
  const isParse = body["code"] === "PGRST100";
  return {
    ...body,
    message:
      isParse && typeof message === "string" ? message.replace(/" \(line \d+, column \d+\)$/, "") : message,
    details: isParse ? null : details,
    hint: isGuess(body["code"], hint) ? null : hint,
  };
}

/** Which similar name is offered, if any, depends on how similarity is measured. */
function isGuess(code: unknown, hint: unknown): boolean {
  return (
    code === "PGRST200" ||
    code === "PGRST202" ||
    (typeof hint === "string" && hint.startsWith("Perhaps you meant"))
  );
}

/** Every disagreement as one line; empty when they agree or differ only as the case allows. */
export function difference(item: Pick<Case, "except">, expected: Answer, actual: Answer): string[] {
  const ignore = new Set<string>(item.except?.ignore);
  const lines: string[] = [];
  const allowed = item.except?.ours?.status;
  if (actual.status !== (allowed ?? expected.status)) {
    lines.push(`status: ${expected.status}, ours ${actual.status} ${show(actual.body)}`);
    return lines;
  }
  if (allowed !== undefined) return lines; // another status has another body
  for (const name of new Set([...Object.keys(expected.headers), ...Object.keys(actual.headers)])) {
    if (!ignore.has(name) && expected.headers[name] !== actual.headers[name]) {
      lines.push(`${name}: ${expected.headers[name]}, ours ${actual.headers[name]}`);
    }
  }
  if (!ignore.has("body")) lines.push(...bodyDifference(expected.body, actual.body, ignore));
  return lines;
}

function bodyDifference(expected: unknown, actual: unknown, ignore: Set<string>): string[] {
  const [theirs, ours] = [withoutGuesses(expected), withoutGuesses(actual)];
  if (isDeepStrictEqual(theirs, ours)) return [];
  if (!isRecord(theirs) || !isRecord(ours) || !("code" in theirs))
    return [`body: ${show(expected)}\n  ours ${show(actual)}`];
  return [...new Set([...Object.keys(theirs), ...Object.keys(ours)])]
    .filter((key) => !ignore.has(key) && !isDeepStrictEqual(theirs[key], ours[key]))
    .map((key) => `${key}: ${show(theirs[key])}, ours ${show(ours[key])}`);
}

const isRecord = (value: unknown): value is Record_ =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const show = (value: unknown) => (JSON.stringify(value) ?? "undefined").slice(0, 1500);
