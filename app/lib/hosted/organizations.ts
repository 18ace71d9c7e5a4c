import type { Upstreams } from "./config.server.ts";

/** One of the organisations somebody belongs to. */
export interface Organization {
  id: string;
  name: string;
  /** Its backend, where the organisations' own endpoint names it; a claim cannot. */
  upstream?: string | undefined;
}
/** More than this nobody chooses from, and the cookie has to hold them. */
const MAX = 100;

/**
 * Organisations in the forms providers use: a name, a list of names, a list of objects (`id`, `name`, `slug`,
 * `display_name`, `backend_url`), an object of objects by name, any of them inside `data`. What cannot be read is left
 * out. Pure.
 */
export function readOrganizations(value: unknown): Organization[] {
  const found = new Map<string, Organization>();
  for (const one of listOf(value)) {
    const organization = readOne(one);
    if (organization && !found.has(organization.id)) found.set(organization.id, organization);
  }
  return [...found.values()].slice(0, MAX);
}

function listOf(value: unknown): unknown[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return [];
  for (const name of ["data", "organizations", "items"])
    if (Array.isArray(value[name])) return value[name] as unknown[];
  if (typeof value["id"] === "string") return [value];
  // By name, as Keycloak writes it: the name is what addresses are made of.
  return Object.entries(value).map(([name, facts]) => ({ ...(isObject(facts) ? facts : {}), id: name }));
}

function readOne(one: unknown): Organization | null {
  if (typeof one === "string") return isId(one) ? { id: one, name: one } : null;
  if (!isObject(one)) return null;
  const [id] = [one["id"], one["slug"], one["name"]].filter(isId);
  if (!id) return null;
  const [name = id] = [one["display_name"], one["displayName"], one["name"], one["slug"]].filter(isText);
  const upstream = [one["backend_url"], one["backendUrl"]].find(isText);
  return { id, name: name.slice(0, 200), ...(upstream ? { upstream } : {}) };
}

/** The same without what only the operator's own endpoint may say. */
export const withoutUpstreams = (organizations: readonly Organization[]): Organization[] =>
  organizations.map(({ id, name }) => ({ id, name }));

/** The one that stays chosen, or the first. */
export const chosenOf = (organizations: readonly Organization[], wanted: string | null): string | null =>
  (organizations.find(({ id }) => id === wanted) ?? organizations[0])?.id ?? null;

/** The backend of an organisation without a slash at its end; null when it has none (yet). */
export function upstreamOf(organization: Organization, upstreams: Upstreams): string | null {
  if (organization.upstream) return addressOf(organization.upstream);
  if ("table" in upstreams)
    return Object.hasOwn(upstreams.table, organization.id)
      ? (upstreams.table[organization.id] ?? null)
      : null;
  // Only what is one label of a host name may become part of an address.
  return /^[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?$/i.test(organization.id)
    ? upstreams.template.replaceAll("{org}", organization.id)
    : null;
}

function addressOf(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !["http:", "https:"].includes(url.protocol) || url.username || url.search || url.hash)
    return null;
  return url.href.replace(/\/+$/, "");
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";
const isId = (value: unknown): value is string =>
  isText(value) && value.length <= 200 && !/[\u0000-\u001f\u007f]/.test(value);
