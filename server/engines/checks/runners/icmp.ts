import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { IcmpSpec } from "#app/contract/specs/checks/icmp.ts";
import { limited } from "../limit.ts";
import { healthy, invalid, runner, unhealthy } from "../runner.ts";
import { runProgram, type Ended } from "./process.ts";

/** How long all packets together may take, in seconds. */
const LIMIT_S = 10;

/** Passes when the host answers pings, fast enough and without too many lost. Needs the system's `ping`. */
export const icmp = runner({
  spec: IcmpSpec,
  async run({ endpoint, thresholdMillis = 0, packetLossThreshold = 0, packetCount = 5 }, { signal }) {
    const host = endpoint.trim();
    if (!isIP(host) && !/^(?=.{1,253}$)[A-Za-z0-9_]([\w.-]*[A-Za-z0-9_.])?$/.test(host))
      return invalid(`endpoint "${endpoint}" must be a host name or an address`);
    const { address } = await lookup(host, { family: isIP(host) || 4 });
    const wait = process.platform === "darwin" ? LIMIT_S * 1000 : LIMIT_S; // macOS counts milliseconds
    const limit = limited(signal, LIMIT_S * 1000);
    const ended = await runProgram({
      program: "ping",
      args: ["-n", "-c", String(packetCount), "-i", "0.2", "-W", String(wait), address],
      signal: limit.signal,
      outputLimit: 64_000,
    });
    limit.end();
    signal.throwIfAborted();
    if (ended.kind === "missing")
      return unhealthy("ping not available: the program ping is not installed here");
    const found = readPing(ended.stdout);
    if (!found) return unhealthy(refusal(ended));
    const { loss, average } = found;
    const details = { address, packetLoss: loss, ...(average === null ? {} : { averageMillis: average }) };
    const wrong = [
      loss > packetLossThreshold
        ? `${loss} % of the packets were lost, at most ${packetLossThreshold} % expected`
        : null,
      thresholdMillis > 0 && average !== null && average > thresholdMillis
        ? `answered in ${average} ms on average, more than the threshold of ${thresholdMillis} ms`
        : null,
    ].filter((line) => line !== null);
    const outcome = wrong.length === 0 ? healthy(details) : unhealthy(wrong.join("\n"), details);
    return average === null ? outcome : { ...outcome, ms: Math.max(1, Math.round(average)) };
  },
});

function refusal({ stdout, stderr, late }: Extract<Ended, { kind: "ended" }>): string {
  if (late) return `no answer within ${LIMIT_S} s`;
  const words = `${stderr}\n${stdout}`.trim().split("\n")[0] ?? "";
  return /permitted|permission|lacking privilege|capabilit|raw socket/i.test(words)
    ? `ping not available: it has no right to send (${words})`
    : `ping failed: ${words || "it said nothing"}`;
}

/** The numbers that ping prints last, as iputils, BusyBox and macOS write them; null when they are not there. */
export function readPing(output: string): { loss: number; average: number | null } | null {
  const [, loss] = /([\d.]+)% packet loss/.exec(output) ?? [];
  if (loss === undefined) return null;
  const [, average] = /= *[\d.]+\/([\d.]+)\//.exec(output) ?? [];
  return { loss: Number(loss), average: average === undefined ? null : Number(average) };
}
