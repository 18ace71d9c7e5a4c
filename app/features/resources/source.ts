import { NO_AGENT } from "#app/contract/words/resources.ts";

/** Where a resource comes from, as far as its row says. */
export interface Origin {
  source?: string | null | undefined;
  agent?: { id?: string | null | undefined; name?: string | null | undefined } | null | undefined;
}

const agentOf = ({ agent }: Origin): string | null =>
  agent?.id && agent.id !== NO_AGENT ? agent.name || agent.id : null;

/** May it be changed here? Only what was made here (facts/ui-screens §1.8). */
export const isOurs = (origin: Origin): boolean =>
  agentOf(origin) === null && (!origin.source || origin.source === "UI");

/** Why it cannot be changed here, in a sentence; null when it can. The first that fits counts. */
export function notOurs(origin: Origin): string | null {
  if (isOurs(origin)) return null;
  const agent = agentOf(origin);
  if (agent !== null) return `Linked to ${agent}`;
  const source = origin.source ?? "";
  if (source.startsWith("component")) return "Created by a component";
  if (source.toLowerCase() === "kubernetescrd" || source.startsWith("kubernetes")) return "Linked to CRD";
  if (source === "ConfigFile") return "Linked to local file";
  return `Made by ${source}`;
}

/** The same in a word, for a list. */
export function sourceWord(origin: Origin): string {
  if (agentOf(origin) !== null) return "Agent";
  const source = origin.source ?? "";
  if (source.startsWith("component")) return "Component";
  if (source.toLowerCase() === "kubernetescrd" || source.startsWith("kubernetes")) return "CRD";
  return source === "push" ? "" : source || "UI";
}
