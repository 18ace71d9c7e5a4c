import { ElasticsearchSpec } from "#app/contract/specs/checks/elasticsearch.ts";
import { healthy, invalid, runner, unhealthy } from "../runner.ts";
import { askForJson, below, part, textPart } from "./web-json.ts";
import { siteOf } from "./web.ts";

/** Passes when the search finds as many documents as expected, where a number is. */
export const elasticsearch = runner({
  spec: ElasticsearchSpec,
  async run(spec, context) {
    const site = await siteOf(spec, context);
    if (typeof site === "string") return invalid(site);
    const { query = "" } = await context.render({ query: spec.query }, {}, { dollar: false });
    const search = query.trim() === "" ? {} : readQuery(query);
    if (typeof search === "string") return invalid(search);
    await site.prepare();

    const index = spec.index?.split(",").map(encodeURIComponent).join(",");
    // All are counted: without this a number above 10,000 is only "at least".
    const url = below(site.url, index ? `${index}/_search` : "_search");
    url.searchParams.set("track_total_hits", "true");
    const { thresholdMillis } = spec;
    const asked = await askForJson(
      site,
      {
        url,
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(search),
      },
      { context, thresholdMillis, words: refusal },
    );
    if (!("json" in asked)) return asked;
    const total = part(asked.json, "hits", "total");
    const hits = typeof total === "number" ? total : Number(part(total, "value"));
    if (!Number.isFinite(hits))
      return { ...unhealthy("the answer has no hits.total, it is no search's"), ms: asked.ms };
    const details = { count: hits, took: part(asked.json, "took") ?? null };
    const outcome =
      spec.results === undefined || hits === spec.results
        ? healthy(details)
        : unhealthy(`Query returned ${hits} results, expected ${spec.results}`, details);
    return { ...outcome, ms: asked.ms, environment: { values: { results: asked.json } } };
  },
});

/** The query as JSON; a sentence when it is none. */
function readQuery(text: string): object | string {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === "object" && json !== null ? json : "query: This field must be a JSON object";
  } catch (error) {
    return `query: This field must be JSON (${error instanceof Error ? error.message : String(error)})`;
  }
}

const refusal = (json: unknown): string | undefined =>
  textPart(json, "error", "reason") ?? textPart(json, "error", "root_cause") ?? textPart(json, "error");
