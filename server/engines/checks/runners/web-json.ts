import { limited } from "../limit.ts";
import type { HttpAnswer } from "./http-request.ts";
import { unhealthy, type Outcome, type RunContext } from "../runner.ts";
import type { Site } from "./web.ts";

/** A longer answer is not read: it would hold everything else up. In characters, ours to choose. */
const JSON_LIMIT = 2 * 1024 * 1024;

export interface Asked {
  json: unknown;
  /** How long the answer took, in milliseconds. */
  ms: number;
}

/**
 * Asks a service for JSON, within the check's threshold in milliseconds. What is wrong with the answer is an outcome; the
 * service's own words about it are found by `words`.
 */
export async function askForJson(
  site: Site,
  request: Parameters<Site["ask"]>[0],
  {
    context,
    thresholdMillis = 0,
    words,
  }: { context: RunContext; thresholdMillis?: number | undefined; words(json: unknown): string | undefined },
): Promise<Asked | Outcome> {
  const limit = limited(context.signal, thresholdMillis);
  const started = performance.now();
  let answer: HttpAnswer;
  try {
    answer = await site.ask({ ...request, signal: limit.signal });
  } catch (error) {
    if (limit.isLate()) return unhealthy(`no answer within the threshold of ${thresholdMillis} ms`);
    throw error;
  } finally {
    limit.end();
  }
  const ms = Math.round(performance.now() - started);
  if (answer.truncated || answer.body.length > JSON_LIMIT)
    return { ...unhealthy(`the answer is longer than ${JSON_LIMIT / 1024 / 1024} MiB, ask for less`), ms };
  const json = parse(answer.body);
  if (answer.code < 200 || answer.code > 299) {
    const said = words(json);
    return { ...unhealthy(`expected ${answer.code} to be 200..299${said ? `: ${said}` : ""}`), ms };
  }
  if (json === undefined) return { ...unhealthy("the answer is not JSON"), ms };
  return { json, ms };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The address with a path behind it: `https://host/prometheus` and `api/v1/query`. */
export function below(url: URL, path: string, search?: URLSearchParams): URL {
  const whole = new URL(url);
  whole.pathname = `${url.pathname.replace(/\/+$/, "")}/${path}`;
  for (const [name, value] of search ?? []) whole.searchParams.append(name, value);
  return whole;
}

/** A part of JSON that may be there. */
export function part(json: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined,
    json,
  );
}

export const textPart = (json: unknown, ...path: string[]): string | undefined => {
  const found = part(json, ...path);
  return typeof found === "string" && found !== "" ? found : undefined;
};
