import { AlertmanagerSpec } from "#app/contract/specs/checks/alertmanager.ts";
import type { z } from "zod";
import { healthy, invalid, runner, unhealthy } from "../runner.ts";
import { askForJson, below, part, textPart } from "./web-json.ts";
import { siteOf } from "./web.ts";

type Spec = z.output<typeof AlertmanagerSpec>;

/** Passes when Alertmanager answers: which alerts are too many is said by a test or a transform. */
export const alertmanager = runner({
  spec: AlertmanagerSpec,
  async run(spec, context) {
    const site = await siteOf(
      {
        ...spec,
        url: spec.url ?? spec.host,
        oauth2: spec.oauth2 ?? spec.oauth,
        tlsConfig: spec.tlsConfig ?? spec.tls,
      },
      context,
    );
    if (typeof site === "string") return invalid(site);
    await site.prepare();
    const search = new URLSearchParams(matchers(spec).map((matcher) => ["filter", matcher]));
    const { thresholdMillis } = spec;
    const words = (json: unknown) =>
      typeof json === "string" ? json : (textPart(json, "message") ?? textPart(json, "error"));
    const asked = await askForJson(
      site,
      { url: below(site.url, "api/v2/alerts", search) },
      { context, thresholdMillis, words },
    );
    if (!("json" in asked)) return asked;
    if (!Array.isArray(asked.json)) return { ...unhealthy("the answer is not Alertmanager's"), ms: asked.ms };
    return { ...healthy({ alerts: asked.json.map(alertOf) }), ms: asked.ms };
  },
});

/** What an alert must match, as Alertmanager writes it. It must match all, so names are one expression. */
export function matchers({ alerts = [], ignore = [], filters = {}, exclude_filters = {} }: Partial<Spec>) {
  const anyOf = (patterns: string[]) => patterns.map((pattern) => `(?:${pattern})`).join("|");
  return [
    ...Object.entries(filters).map(([label, pattern]) => `${label}=~${quoted(pattern)}`),
    ...(alerts.length > 0 ? [`alertname=~${quoted(anyOf(alerts))}`] : []),
    ...(ignore.length > 0 ? [`alertname!~${quoted(anyOf(ignore))}`] : []),
    ...Object.entries(exclude_filters).map(([label, value]) => `${label}!=${quoted(value)}`),
  ];
}

const quoted = (text: string) =>
  `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;

/** Labels that say what an alert is about; the first that is there is part of its name. */
const SUBJECTS = [
  "deployment",
  "daemonset",
  "statefulset",
  "cronjob_name",
  "job_name",
  "pod",
  "nodename",
] as const;

/** An alert as expressions see it (facts: engines §4); its name says what it is about. */
function alertOf(alert: unknown) {
  const labels = textsOf(part(alert, "labels"));
  const annotations = textsOf(part(alert, "annotations"));
  const subject = SUBJECTS.map((label) => labels[label]).find((value) => value);
  const name = [labels["alertname"], labels["namespace"], labels["node"], subject, labels["container"]];
  return {
    name: name.filter((word) => word).join("/"),
    message: annotations["message"] || annotations["description"] || annotations["summary"] || "",
    labels,
    annotations,
    fingerprint: textPart(alert, "fingerprint") ?? "",
  };
}

const textsOf = (value: unknown): Record<string, string> =>
  typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]))
    : {};
