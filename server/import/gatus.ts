/** Configuration of Gatus → canaries: each endpoint is one, with the group as a label. Pure. */
import type { Remark } from "#app/contract/rows/import-report.ts";
import { durationMs } from "#server/engines/schedule.ts";
import { checkedSpec } from "./canary.ts";
import type { Part } from "./documents.ts";
import {
  clean,
  entryOf,
  isFields,
  Refusal,
  textOf,
  type Entry,
  type Fields,
  type Reading,
  type WantedCanary,
} from "./entry.ts";
import { conditionsOf, type Conditions, type EndpointKind } from "./gatus-conditions.ts";
import { httpOf, type Warn } from "./gatus-http.ts";
import { uniqueNames } from "./names.ts";
import { refuseWhatJsonCannotHold } from "./json-safe.ts";

const DEFAULT_INTERVAL = "1m";
/** What an endpoint may have that changes nothing here, or is read below. */
const READ = new Set(
  "name group url interval conditions method headers body graphql client dns enabled ui alerts extra-labels".split(
    " ",
  ),
);
/** Settings of the whole product, and where theirs is here. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["alerting", "who is told is set at each check, under Notify"],
  ["storage", "results are kept in this product's database"],
  ["web", "the address is set by HOST and PORT"],
  ["security", "people sign in with accounts of this product"],
  ["ui", "the look of the pages is this product's own"],
  ["maintenance", "there are no maintenance windows"],
  ["remote", "checks of another instance are not shown"],
  ["connectivity", "checks run whatever the connection is like"],
  ["suites", "checks that follow one another are not known"],
  ["announcements", "there are no announcements"],
  ["tunneling", "there are no tunnels"],
]);

export const isGatus = (value: unknown): value is Fields =>
  isFields(value) &&
  value["kind"] === undefined &&
  (Array.isArray(value["endpoints"]) || Array.isArray(value["external-endpoints"]));

export function readGatus(part: Part): Pick<Reading, "entries" | "notes"> {
  const config = part.value as Fields;
  const name = uniqueNames();
  const of = (list: string, read: (endpoint: Part, name: typeof nameOf) => Entry) =>
    (Array.isArray(config[list]) ? config[list] : []).map((_, index) =>
      read(part.inside([list, index]), nameOf),
    );
  const nameOf = (endpoint: Fields) =>
    name([textOf(endpoint["group"]), textOf(endpoint["name"])].filter((word) => word !== null).join("-"));
  return {
    entries: [...of("endpoints", readEndpoint), ...of("external-endpoints", readExternal)],
    notes: notesOf(part, config),
  };
}

const notesOf = (part: Part, config: Fields): Remark[] =>
  Object.keys(config).flatMap((key) => {
    const words = ELSEWHERE.get(key);
    return words ? [part.remark([key], `${key} is not imported: ${words}`)] : [];
  });

type Naming = (endpoint: Fields) => string;
const titleOf = (endpoint: Fields) =>
  [textOf(endpoint["group"]), textOf(endpoint["name"])].filter((word) => word !== null).join(" / ") ||
  "Endpoint";

function readEndpoint(part: Part, name: Naming): Entry {
  const endpoint = isFields(part.value) ? part.value : {};
  return entryOf(part, titleOf(endpoint), (warn) => {
    refuseWhatJsonCannotHold(part);
    const canary = canaryOf(part, endpoint, name);
    const url = textOf(endpoint["url"]);
    if (!url) throw new Refusal(part.remark(["url"], "url is required"));
    for (const key of Object.keys(endpoint))
      if (!READ.has(key)) warn([key], `${key} has no counterpart and is left out`);
    alertsOf(endpoint, warn);
    const interval = textOf(endpoint["interval"]) ?? DEFAULT_INTERVAL;
    if (!durationMs(interval))
      throw new Refusal(part.remark(["interval"], `interval must be a duration such as 30s`));
    const conditions = conditionsOf(part, kindOf(endpoint, url), warn);
    const check = { name: textOf(endpoint["name"]), ...checkOf(part, endpoint, url, conditions, warn) };
    const { type, ...spec } = check;
    return checkedSpec(part, [], {
      ...canary,
      spec: { schedule: `@every ${interval}`, [type]: [clean(spec)] },
    });
  });
}

/** Somebody else reports to it: a heartbeat. */
function readExternal(part: Part, name: Naming): Entry {
  const endpoint = isFields(part.value) ? part.value : {};
  return entryOf(part, titleOf(endpoint), (warn) => {
    refuseWhatJsonCannotHold(part);
    const canary = canaryOf(part, endpoint, name);
    alertsOf(endpoint, warn);
    const period = isFields(endpoint["heartbeat"]) ? textOf(endpoint["heartbeat"]["interval"]) : null;
    if (!period)
      throw new Refusal(
        part.remark([], "without heartbeat.interval there is nothing that could be missed: add one"),
      );
    warn([], "reports go to a new address: make its token where the check is shown");
    const heartbeat = [{ name: textOf(endpoint["name"]), period, grace: period }];
    return checkedSpec(part, [], { ...canary, spec: { heartbeat } });
  });
}

function canaryOf(part: Part, endpoint: Fields, name: Naming): Omit<WantedCanary, "spec"> {
  if (!textOf(endpoint["name"])) throw new Refusal(part.remark(["name"], "name is required"));
  const group = textOf(endpoint["group"]);
  const extra = isFields(endpoint["extra-labels"]) ? endpoint["extra-labels"] : {};
  return {
    name: name(endpoint),
    namespace: "default",
    labels: {
      ...Object.fromEntries(Object.entries(extra).map(([key, value]) => [key, String(value)])),
      ...(group ? { group } : {}),
    },
    annotations: endpoint["enabled"] === false ? { suspend: "true" } : {},
  };
}

function alertsOf(endpoint: Fields, warn: Warn): void {
  const alerts = Array.isArray(endpoint["alerts"]) ? endpoint["alerts"] : [];
  const types = alerts.flatMap((alert) => (isFields(alert) ? [textOf(alert["type"]) ?? "alert"] : []));
  if (types.length > 0)
    warn(["alerts"], `alerts (${types.join(", ")}) are not imported: set them at the check, under Notify`);
}

/** What the address asks for. Those that only a connection stands in for are tcp. */
function kindOf(endpoint: Fields, url: string): EndpointKind | null {
  if (isFields(endpoint["dns"])) return "dns";
  const scheme = /^([a-z0-9+]+):\/\//i.exec(url)?.[1]?.toLowerCase() ?? "";
  if (scheme === "http" || scheme === "https") return "http";
  if (scheme === "icmp") return "icmp";
  return ["tcp", "starttls", "tls", "ssh", "ws", "wss"].includes(scheme) ? "tcp" : null;
}

const PORTS: ReadonlyMap<string, number> = new Map([
  ["ssh", 22],
  ["ws", 80],
  ["wss", 443],
]);

function checkOf(
  part: Part,
  endpoint: Fields,
  url: string,
  found: Conditions,
  warn: Warn,
): Fields & { type: string } {
  const common = {
    thresholdMillis: slowest(part, endpoint, found),
    test: found.test ? { expr: found.test } : undefined,
  };
  const kind = kindOf(endpoint, url);
  switch (kind) {
    case "http":
      return { type: "http", url, ...httpOf(part, endpoint, found, warn), ...common };
    case "dns":
      return { type: "dns", ...dnsOf(part, endpoint["dns"] as Fields, url, found), ...common };
    case "icmp":
      return { type: "icmp", endpoint: url.slice("icmp://".length).replace(/\/.*$/, ""), ...common };
    case "tcp":
      return { type: "tcp", endpoint: endpointOf(part, url, warn), ...common };
    case null:
      throw new Refusal(
        part.remark(["url"], `there is no check for an address like ${url.split(":")[0]}://`),
      );
  }
}

function endpointOf(part: Part, url: string, warn: Warn): string {
  const [, scheme = "", host = "", port] = /^([a-z]+):\/\/(\[[^\]]+\]|[^:/?#]+)(?::(\d+))?/i.exec(url) ?? [];
  const number = port ?? PORTS.get(scheme.toLowerCase());
  if (!host || !number) throw new Refusal(part.remark(["url"], "the address needs a host and a port"));
  if (scheme.toLowerCase() !== "tcp")
    warn(["url"], `of ${scheme} only the connection is checked: what is spoken over it has no counterpart`);
  return `${host}:${number}`;
}

function dnsOf(part: Part, dns: Fields, url: string, { exactReply }: Conditions): Fields {
  const [, server = "", port] = /^(?:[a-z]+:\/\/)?(\[[^\]]+\]|[^:/]+)(?::(\d+))?/i.exec(url) ?? [];
  const query = textOf(dns["query-name"]);
  if (!query) throw new Refusal(part.remark(["dns", "query-name"], "dns.query-name is required"));
  return {
    server,
    port: port ? Number(port) : undefined,
    query: query.replace(/\.$/, ""),
    querytype: textOf(dns["query-type"])?.toUpperCase() ?? "A",
    minrecords: 1,
    exactreply: exactReply,
  };
}

/** The time limit of a client and a limit of a condition are one here: whatever is slower fails. */
function slowest(part: Part, endpoint: Fields, { slowerThan }: Conditions): number | undefined {
  const given = isFields(endpoint["client"]) ? textOf(endpoint["client"]["timeout"]) : null;
  const timeout = given === null ? null : durationMs(given);
  if (given !== null && timeout === null)
    throw new Refusal(part.remark(["client", "timeout"], "client.timeout must be a duration such as 10s"));
  const limits = [slowerThan, timeout].filter((limit) => limit !== null);
  return limits.length > 0 ? Math.min(...limits) : undefined;
}
