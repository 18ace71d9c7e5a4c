/** The settings of each request's transaction, in PostgREST's order (facts of PostgREST §16). */
import type { Caller } from "./request.ts";
import type { RestOptions } from "./options.ts";
import type { RoleSettings } from "./schema/schema.ts";
import { ident } from "./sql/sql.ts";

export interface SettingsInput {
  options: RestOptions;
  schema: string;
  caller: Caller;
  role: RoleSettings | undefined;
  method: string;
  path: string;
  headers: Headers;
  timezone: string | undefined;
}

const DEFAULT_STATEMENT_TIMEOUT = 60_000;

/** Header names lower-case, cookies apart. */
function headersJson(headers: Headers): string {
  const plain: Record<string, string> = {};
  headers.forEach((value, name) => {
    if (name !== "cookie") plain[name] = value;
  });
  return JSON.stringify(plain);
}

function cookiesJson(header: string | null): string {
  if (header === null) return "{}";
  const cookies = header.split(";").map((part): [string, string] => {
    const at = part.indexOf("=");
    return at < 0 ? [part.trim(), ""] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  });
  return JSON.stringify(Object.fromEntries(cookies));
}

export function requestSettings(
  { options, schema, caller, role, method, path, headers, timezone }: SettingsInput,
  isReadOnly: boolean,
  extra: [string, string][],
): [string, string][] {
  const searchPath = [schema, ...(options.extraSearchPath ?? ["public"])].map(ident).join(", ");
  const list: [string, string][] = [["search_path", searchPath]];
  const own = role?.settings ?? [];
  if (![...own, ...extra].some(([name]) => name === "statement_timeout"))
    list.push(["statement_timeout", String(options.statementTimeoutMs ?? DEFAULT_STATEMENT_TIMEOUT)]);
  if (!isReadOnly && options.lockTimeoutMs !== undefined)
    list.push(["lock_timeout", String(options.lockTimeoutMs)]);
  list.push(...own, ["role", caller.dbRole]);
  list.push(["request.jwt.claims", JSON.stringify(caller.claims)]);
  list.push(["request.method", method], ["request.path", path]);
  list.push(
    ["request.headers", headersJson(headers)],
    ["request.cookies", cookiesJson(headers.get("cookie"))],
  );
  if (timezone !== undefined) list.push(["timezone", timezone]);
  list.push(...extra);
  for (const [name, value] of Object.entries(options.settings ?? {}))
    list.push([`app.settings.${name}`, value]);
  if (isReadOnly) list.push(["transaction_read_only", "on"]);
  return list;
}

/** Names of settings go into SQL text: only words. */
export function assertSettingNames(settings: Record<string, string>): void {
  for (const name of Object.keys(settings))
    if (!/^[A-Za-z_][A-Za-z0-9_.]*$/.test(name)) throw new Error(`"${name}" cannot be the name of a setting`);
}
