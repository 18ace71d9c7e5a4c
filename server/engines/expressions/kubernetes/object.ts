/** Objects of Kubernetes as plain data, and how to look into them without knowing what is there. */

export type Part = Record<string, unknown>;

/** How an object is: a word for people, what it means, whether it is done with what it was asked for, and why. */
export interface Assessment {
  status: string;
  health: "healthy" | "unhealthy" | "warning" | "unknown";
  ready: boolean;
  message: string;
}

export interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
}

export const isPart = (value: unknown): value is Part =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The map under these names; empty when it is not there. */
export function part(value: unknown, ...names: string[]): Part {
  let found: unknown = value;
  for (const name of names) found = isPart(found) ? found[name] : undefined;
  return isPart(found) ? found : {};
}

/** The maps in the list of that name. */
export const parts = (value: Part, name: string): Part[] =>
  Array.isArray(value[name]) ? value[name].filter(isPart) : [];

export const text = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
export const number = (value: unknown, otherwise = 0): number =>
  typeof value === "number" ? value : otherwise;

/** Milliseconds since 1970 of a time as Kubernetes writes it; null when it is none. */
export function time(value: unknown): number | null {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

export const conditionsOf = (status: Part): Condition[] =>
  parts(status, "conditions").map(({ type, status: holds, reason, message }) => ({
    type: text(type),
    status: text(holds),
    reason: text(reason),
    message: text(message),
  }));

export const found = (
  status: string,
  health: Assessment["health"],
  ready: boolean,
  message = "",
): Assessment => ({ status, health, ready, message });
