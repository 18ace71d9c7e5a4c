import { Reference } from "#app/contract/env-var.ts";
import type { LookUp } from "../references.ts";
import type { Mask } from "./mask.ts";
import type { Connection } from "./runner.ts";

/** A reference of a spec that has no value. The message begins with the field. */
export class Unresolved extends Error {}

/**
 * The parsed spec with every reference replaced by its value, for one run and nothing else. Secrets are concealed by the
 * mask; what config maps hold is not secret. Throws Unresolved, for the first field that has none.
 */
export async function resolveReferences<T>(
  spec: T,
  lookUp: LookUp,
  mask: Mask,
  path: string[] = [],
): Promise<T> {
  if (spec instanceof Reference) {
    const value = await lookUp(spec).catch((error: unknown) => {
      throw new Unresolved(`${path.join(".")}: ${error instanceof Error ? error.message : String(error)}`);
    });
    if (spec.kind === "secret") concealAddress(value, mask);
    return value as T;
  }
  if (Array.isArray(spec)) {
    const all: unknown[] = [];
    for (const [index, part] of spec.entries())
      all.push(await resolveReferences(part, lookUp, mask, [...path, String(index)]));
    return all as T;
  }
  if (typeof spec !== "object" || spec === null || !holdsReference(spec)) return spec;
  const resolved: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(spec))
    resolved[name] = await resolveReferences(part, lookUp, mask, [...path, name]);
  return resolved as T;
}

/** Most specs hold none, and are run as they are. */
const holdsReference = (value: unknown): boolean =>
  value instanceof Reference ||
  (typeof value === "object" && value !== null && Object.values(value).some(holdsReference));

/** Conceals what of a stored connection is secret. */
export function concealConnection(connection: Connection, mask: Mask): void {
  mask.conceal(connection.password);
  mask.conceal(connection.certificate);
  for (const secret of connection.secrets ?? []) mask.conceal(secret);
  mask.conceal(passwordOf(connection.url));
}

/** A secret; the password in it, when it is an address. */
function concealAddress(value: string, mask: Mask): void {
  mask.conceal(value);
  mask.conceal(passwordOf(value));
}

function passwordOf(address: string): string | undefined {
  const [, password] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@:]*:([^/?#]*)@/i.exec(address) ?? [];
  if (!password) return undefined;
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
