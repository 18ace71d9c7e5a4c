import type { Socket } from "node:net";
import { LdapSpec } from "#app/contract/specs/checks/ldap.ts";
import { healthy, invalid, reasonOf, runner, unhealthy } from "../runner.ts";
import { closing, limitBytes } from "./client.ts";

/** Entries that are asked for: whether there is one is the question. Ours to choose. */
const ENTRIES = 100;
/** The word for no attributes. */
const NONE = ["1.1"];
/** Bytes that an answer may have. Ours to choose. */
const BYTE_LIMIT = 8 * 1024 * 1024;

/** Passes when the directory lets us in and finds an entry. */
export const ldap = runner({
  spec: LdapSpec,
  async run(spec, context) {
    const stored = spec.connection ? await context.connection(spec.connection) : undefined;
    const username = spec.username ?? stored?.username ?? "";
    const password = spec.password ?? stored?.password ?? "";
    const url = spec.url ?? stored?.url ?? "";
    if (!/^ldaps?:\/\/[^/]+\/?$/.test(url)) return invalid("url must be ldap://host:389 or ldaps://host:636");
    // A name without a password signs nobody in, and many servers answer that all the same.
    if (username !== "" && password === "") return invalid("password: it is needed beside a username");
    const { Client, SizeLimitExceededError } = await import("ldapts");
    const client = new Client({
      url,
      timeout: context.timeoutMs,
      connectTimeout: context.timeoutMs,
      // Given without ldaps:// it would encrypt all the same, and fail.
      ...(url.startsWith("ldaps:")
        ? { tlsOptions: { rejectUnauthorized: !(spec.skipTLSVerify || stored?.insecureTls) } }
        : {}),
    });
    const socket = () => (client as unknown as { socket?: Socket }).socket;
    let opened: Socket | undefined;
    const destroy = () => void (opened ?? socket())?.destroy();
    return closing({ close: () => client.unbind(), destroy }, context.signal, async () => {
      try {
        await client.bind(username, password);
      } catch (error) {
        return unhealthy(`bind: ${wordsOf(error)}`);
      }
      opened = socket();
      limitBytes(opened, BYTE_LIMIT, destroy);
      let count: number;
      try {
        const options = {
          scope: "sub",
          filter: spec.userSearch,
          attributes: NONE,
          sizeLimit: ENTRIES,
        } as const;
        count = (await client.search(spec.bindDN, options)).searchEntries.length;
      } catch (error) {
        if (!(error instanceof SizeLimitExceededError)) return unhealthy(`search: ${wordsOf(error)}`);
        count = ENTRIES;
      }
      if (count === 0)
        return unhealthy(`no entry below ${spec.bindDN} matches ${spec.userSearch}`, { count });
      return healthy({ count });
    });
  },
});

/** Some of its errors say no more than their name. */
function wordsOf(error: unknown): string {
  const words = reasonOf(error);
  if (!(error instanceof Error) || error.name === "Error" || words.includes(error.name)) return words;
  return `${error.name.replace(/Error$/, "")}: ${words}`;
}
