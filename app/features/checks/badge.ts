/** What a badge says, and in which colour. Pure. */
import type { BadgeFacts } from "#app/contract/rows/badges.ts";
import { percent, uptime } from "#app/lib/format/percent.ts";

export const BADGE_SHOWS = ["both", "status", "uptime"] as const;
export type BadgeShow = (typeof BADGE_SHOWS)[number];

/** Dark enough for white words (4.5 : 1), told apart by their words as well. */
const COLOURS = { healthy: "#1f7a4d", unhealthy: "#c4232e", warning: "#9a5b00", unknown: "#5b6470" } as const;

export interface BadgeWords {
  label: string;
  message: string;
  color: string;
}

/** A group is healthy when all of it is, and failing as soon as one check is: "2 of 9 failing". */
export function badgeOf(facts: BadgeFacts, show: BadgeShow, label = ""): BadgeWords {
  const health = healthOf(facts);
  const ratio = uptime(facts);
  const uptimeWords = ratio === null ? "no runs" : percent(ratio);
  const message = {
    both: ratio === null ? statusWords(facts) : `${statusWords(facts)}, ${uptimeWords}`,
    status: statusWords(facts),
    uptime: uptimeWords,
  }[show];
  return {
    label: label || (show === "uptime" ? `${facts.name}, ${facts.range}` : facts.name),
    message,
    color: COLOURS[health],
  };
}

function healthOf({ checks, healthy, unhealthy }: BadgeFacts): keyof typeof COLOURS {
  if (unhealthy > 0) return unhealthy === checks ? "unhealthy" : "warning";
  return healthy > 0 ? "healthy" : "unknown";
}

function statusWords({ checks, healthy, unhealthy }: BadgeFacts): string {
  if (checks === 1) return unhealthy > 0 ? "unhealthy" : healthy > 0 ? "healthy" : "unknown";
  if (unhealthy > 0) return `${unhealthy} of ${checks} failing`;
  return healthy > 0 ? "healthy" : "unknown";
}

/** A badge that has nothing to tell. */
export const badgeWithout = (message: string): BadgeWords => ({
  label: "Pilothouse",
  message,
  color: COLOURS.unknown,
});

/** Where a badge is, below the site's own address. */
export const badgePath = (kind: "check" | "group", name: string) =>
  `/badges/${kind}/${encodeURIComponent(name)}.svg`;
