import { PrometheusSpec } from "#app/contract/specs/checks/prometheus.ts";
import { healthy, invalid, runner, unhealthy, valuesOf } from "../runner.ts";
import { askForJson, below, part, textPart } from "./web-json.ts";
import { siteOf } from "./web.ts";

/** Results that are kept with a run. Ours to choose; expressions see all. */
const KEPT = 100;

interface Result {
  value: number;
  [label: string]: unknown;
}

/** Passes when the query is answered, whatever its value; the first result's labels become the check's. */
export const prometheus = runner({
  spec: PrometheusSpec,
  async run(spec, context) {
    const values = valuesOf(spec.env);
    const site = await siteOf(
      { ...spec, oauth2: spec.oauth2 ?? spec.oauth, tlsConfig: spec.tlsConfig ?? spec.tls },
      context,
      values,
    );
    if (typeof site === "string") return invalid(site);
    const { query } = await context.render({ query: spec.query }, values, { dollar: spec.env !== undefined });
    await site.prepare();

    const url = below(site.url, "api/v1/query");
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams({ query }).toString();
    const { thresholdMillis } = spec;
    const words = (json: unknown) => textPart(json, "error");
    const asked = await askForJson(
      site,
      { url, method: "POST", headers, body },
      { context, thresholdMillis, words },
    );
    if (!("json" in asked)) return asked;
    const results = readResults(asked.json);
    if (typeof results === "string") return { ...unhealthy(results), ms: asked.ms };

    const [first] = results;
    const seen = { results, firstResult: first ?? {}, ...(first ? { value: first.value } : {}) };
    const { value: _, ...labels } = first ?? { value: 0 };
    return {
      ...healthy({ ...seen, results: results.slice(0, KEPT), count: results.length }),
      ms: asked.ms,
      environment: { values: seen },
      labels: Object.fromEntries(
        Object.entries(labels).flatMap(
          ([name, text]) => (name.startsWith("__") ? [] : [[name, String(text)]]), // what begins so is Prometheus's own
        ),
      ),
    };
  },
});

/** A vector's samples, or a number as the only one; a sentence for what has no single value. */
function readResults(json: unknown): Result[] | string {
  const type = textPart(json, "data", "resultType");
  const result = part(json, "data", "result");
  if (!Array.isArray(result)) return "the answer is not Prometheus's";
  if (type === "scalar") return [{ value: Number(result[1]) }];
  if (type !== "vector")
    return `the query must yield an instant vector or a number, it yields a ${type ?? "value of no type"}`;
  return result.map((sample: unknown) => {
    const labels = part(sample, "metric");
    const pair = part(sample, "value");
    return {
      ...(typeof labels === "object" ? labels : {}),
      value: Number(Array.isArray(pair) ? pair[1] : Number.NaN),
    };
  });
}
