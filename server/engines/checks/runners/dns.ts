import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import type { z } from "zod";
import { DnsSpec } from "#app/contract/specs/checks/dns.ts";
import { healthy, runner, unhealthy } from "../runner.ts";

type Spec = z.output<typeof DnsSpec>;

/** Passes when the server answers with enough records, with exactly those expected if any are, and in time. */
export const dns = runner({
  spec: DnsSpec,
  async run(spec, { signal }) {
    const { server, port = 53, timeout = 10, thresholdMillis = 0, minrecords = 0, exactreply = [] } = spec;
    const type = spec.querytype ?? "A";
    const resolver = new Resolver({ timeout: timeout * 1000, tries: 1 });
    const stop = () => resolver.cancel();
    if (server) resolver.setServers([await addressOf(server, port)]);
    signal.addEventListener("abort", stop, { once: true });
    const started = performance.now();
    try {
      const records = (await ask(resolver, type, spec.query)).sort();
      const elapsed = Math.round(performance.now() - started);
      const details = { records, elapsed };
      const wrong = [
        records.length < minrecords ? `${records.length} records, at least ${minrecords} expected` : null,
        exactreply.length > 0 && JSON.stringify(records) !== JSON.stringify([...exactreply].sort())
          ? `the answer is [${records.join(", ")}], expected [${[...exactreply].sort().join(", ")}]`
          : null,
        thresholdMillis > 0 && elapsed > thresholdMillis
          ? `took ${elapsed} ms, more than the threshold of ${thresholdMillis} ms`
          : null,
      ].filter((line) => line !== null);
      return wrong.length === 0 ? healthy(details) : unhealthy(wrong.join("\n"), details);
    } catch (error) {
      signal.throwIfAborted();
      return unhealthy(sentence(error, spec, timeout));
    } finally {
      signal.removeEventListener("abort", stop);
    }
  },
});

/** c-ares wants addresses: a server given by its name is looked up first. */
async function addressOf(server: string, port: number): Promise<string> {
  const address = isIP(server) ? server : (await lookup(server)).address;
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}

const dotted = (name: string) => (name.endsWith(".") ? name : `${name}.`);

/** The records as texts: names end with a dot. */
async function ask(
  resolver: Resolver,
  type: NonNullable<Spec["querytype"]>,
  query: string,
): Promise<string[]> {
  if (type === "A") return resolver.resolve4(query);
  if (type === "AAAA") return resolver.resolve6(query);
  if (type === "CNAME") return canonical(resolver, query);
  if (type === "NS") return (await resolver.resolveNs(query)).map(dotted);
  if (type === "MX")
    return (await resolver.resolveMx(query)).map(
      ({ exchange, priority }) => `${dotted(exchange)} ${priority}`,
    );
  if (type === "TXT") return (await resolver.resolveTxt(query)).map((parts) => parts.join(""));
  if (type === "PTR")
    return (isIP(query) ? await resolver.reverse(query) : await resolver.resolvePtr(query)).map(dotted);
  return (await resolver.resolveSrv(query)).map(
    ({ name, port, priority, weight }) => `${priority} ${weight} ${port} ${dotted(name)}`,
  );
}

/** The name that stands behind; of one that is no alias, but has addresses, that is the name itself. */
async function canonical(resolver: Resolver, query: string): Promise<string[]> {
  try {
    return (await resolver.resolveCname(query)).map(dotted);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENODATA")) throw error;
    await resolver.resolve4(query).catch(() => resolver.resolve6(query));
    return [dotted(query)];
  }
}

function sentence(error: unknown, { query, querytype = "A", server }: Spec, timeout: number): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOTFOUND") return `${query} does not exist`;
  if (code === "ENODATA") return `${query} has no ${querytype} record`;
  if (code === "ETIMEOUT") return `no answer within ${timeout} s`;
  if (code === "ECONNREFUSED") return `${server ?? "the name server"} refused the question`;
  return error instanceof Error ? error.message : String(error);
}
