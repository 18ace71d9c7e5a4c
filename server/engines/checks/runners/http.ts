import { HttpSpec } from "#app/contract/specs/checks/http.ts";
import { evaluate, isJson, type Environment } from "../../expressions/index.ts";
import { asksOf } from "../judge.ts";
import { limited } from "../limit.ts";
import { healthy, invalid, runner, unhealthy, valuesOf, type Outcome } from "../runner.ts";
import { BODY_LIMIT, type HttpAnswer } from "./http-request.ts";
import { siteOf } from "./web.ts";
import type { z } from "zod";

type Spec = z.output<typeof HttpSpec>;
const DAY_MS = 86_400_000;

/** Who asks, unless the spec says so: by the word that rules for checks elsewhere look for. */
const USER_AGENT = "canary-checker/1.0 (compatible; Pilothouse)";

/** Passes when the answer has the right code, comes in time, contains what it should, and its certificate lasts. */
export const http = runner({
  spec: HttpSpec,
  async run(spec, context) {
    const address = spec.url ?? spec.endpoint;
    const values = valuesOf(spec.env);
    const { username, password } = spec.authentication ?? {};
    const site = await siteOf(
      {
        ...spec,
        url: address,
        username: spec.username ?? username,
        password: spec.password ?? password,
      },
      context,
      values,
    );
    if (typeof site === "string") return invalid(site);
    await site.prepare();

    const body = spec.templateBody ? (await context.render({ body: spec.body }, values)).body : spec.body;
    const threshold = spec.thresholdMillis ?? 0;
    const limit = limited(context.signal, threshold);
    const started = performance.now();
    try {
      const answer = await site.ask({
        method: spec.method ?? "GET",
        headers: Object.fromEntries([
          ["user-agent", USER_AGENT],
          ...(spec.headers ?? []).map(({ name, value }) => [name.toLowerCase(), value] as const),
        ]),
        ...(body === undefined ? {} : { body }),
        signal: limit.signal,
        stopAt: spec.responseCodes ?? [],
      });
      const elapsedMs = performance.now() - started;
      return { ...(await judge(spec, answer, elapsedMs)), ms: Math.round(elapsedMs) };
    } catch (error) {
      if (limit.isLate()) return unhealthy(`no answer within the threshold of ${threshold} ms`);
      throw error;
    } finally {
      limit.end();
    }
  },
});

/** All that is wrong, one line each, in the order in which a person would look. */
async function judge(spec: Spec, answer: HttpAnswer, elapsedMs: number): Promise<Outcome> {
  const sslAge = answer.expires ? Math.floor((answer.expires.getTime() - Date.now()) / DAY_MS) : undefined;
  const details = {
    code: answer.code,
    elapsed: Math.round(elapsedMs),
    ...(sslAge === undefined ? {} : { sslAge }),
  };
  const wrong = [
    codeError(spec.responseCodes, answer.code),
    spec.thresholdMillis && elapsedMs > spec.thresholdMillis
      ? `took ${Math.round(elapsedMs)} ms, more than the threshold of ${spec.thresholdMillis} ms`
      : null,
    contentError(spec.responseContent, answer),
    spec.responseJSONContent ? await jsonContentError(spec.responseJSONContent, answer) : null,
    spec.maxSSLExpiry === undefined ? null : certificateError(spec.maxSSLExpiry, sslAge),
    spec.test ? null : await jsonError(answer), // a test says itself what it needs
  ].filter((line) => line !== null);
  const outcome = wrong.length === 0 ? healthy(details) : unhealthy(wrong.join("\n"), details);
  const expressions = asksOf(spec);
  return expressions ? { ...outcome, environment: environmentOf(answer, elapsedMs) } : outcome;
}

/** What expressions see of an answer: `sslAge` is the time the certificate has left, 0 without TLS. */
function environmentOf({ code, headers, body, expires }: HttpAnswer, elapsedMs: number): Environment {
  return {
    values: { results: {}, code, headers, content: body },
    durations: { elapsed: elapsedMs, sslAge: expires ? expires.getTime() - Date.now() : 0 },
    json: body,
  };
}

function codeError(wanted: readonly number[] | undefined, code: number): string | null {
  if (!wanted || wanted.length === 0)
    return code >= 200 && code <= 299 ? null : `expected ${code} to be 200..299`;
  return wanted.includes(code) ? null : `expected ${code} to be in [${wanted.join(" ")}]`;
}

function contentError(wanted: string | undefined, { body, truncated }: HttpAnswer): string | null {
  if (!wanted || body.includes(wanted)) return null;
  const where = truncated ? `the first ${BODY_LIMIT / 1024 / 1024} MiB of the response` : "the response";
  return `expected ${where} to contain "${wanted}"`;
}

/** What a JSON path finds in the answer must be the value, compared as text. */
async function jsonContentError(
  { path, value }: NonNullable<Spec["responseJSONContent"]>,
  { body }: HttpAnswer,
): Promise<string | null> {
  const jsonPath = path.startsWith("$") ? `$.json${path.slice(1)}` : `$.json.${path}`;
  const { found } = await evaluate({ values: {}, json: body }, { found: { jsonPath, as: "text" } });
  if (!found || "error" in found) return `responseJSONContent: ${found?.error ?? "there is no answer"}`;
  const text = String(found.value);
  return text === value.trim()
    ? null
    : `expected ${path} of the response to be "${value.trim()}", it is "${text}"`;
}

function certificateError(wanted: number, left: number | undefined): string | null {
  if (left === undefined) return "maxSSLExpiry is set, but the answer came without TLS";
  return left >= wanted ? null : `the certificate expires in ${left} days, at least ${wanted} expected`;
}

/** An answer that says it is JSON must be JSON. */
async function jsonError({ contentType, body, truncated }: HttpAnswer): Promise<string | null> {
  if (truncated || body === "" || !/^application\/([\w.-]+\+)?json\b/i.test(contentType ?? "")) return null;
  return (await isJson(body)) ? null : "the response says it is JSON but is not";
}
