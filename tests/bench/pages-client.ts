/**
 * The readers of pages, a process of their own: they ask at fixed instants whatever the server does (open loop), and a
 * page's time counts from the instant it should have been asked for to its last byte, so that a slow server cannot hide
 * behind readers who wait for it.
 */
import { Agent, get } from "node:http";
import type { PageOrder, PageOutcome } from "./pages-order.ts";

/** A page that takes longer is an error. */
const LIMIT_MS = 10_000;

interface Answer {
  ms: number;
  bytes: number;
  error: string | null;
  timing: string;
}

process.on("message", (order: PageOrder) => {
  void read(order).then((outcome) => process.send?.(outcome));
});
process.on("disconnect", () => process.exit(0));

async function read({ url, paths, headers, rate, seconds }: PageOrder): Promise<PageOutcome> {
  const agent = new Agent({ keepAlive: true });
  const start = performance.now() + 50;
  const answers = await Promise.all(
    Array.from({ length: Math.round(rate * seconds) }, async (_, index) => {
      const intended = start + (index * 1000) / rate;
      await new Promise((due) => setTimeout(due, intended - performance.now()));
      return page(agent, url + paths[index % paths.length]!, headers, intended);
    }),
  );
  agent.destroy();
  return summary(answers);
}

function page(agent: Agent, url: string, headers: Record<string, string>, intended: number): Promise<Answer> {
  return new Promise((done) => {
    const answer: Answer = { ms: 0, bytes: 0, error: null, timing: "" };
    const finish = (error: string | null) => done({ ...answer, error, ms: performance.now() - intended });
    const call = get(url, { agent, headers }, (response) => {
      answer.timing = String(response.headers["server-timing"] ?? "");
      response.on("data", (chunk: Buffer) => (answer.bytes += chunk.length));
      response.once("end", () =>
        finish(response.statusCode === 200 ? null : `status ${response.statusCode}`),
      );
      response.once("error", (error) => finish(error.message));
    });
    call.once("error", (error) => finish(error.message));
    call.setTimeout(LIMIT_MS, () => call.destroy(new Error(`nothing for ${LIMIT_MS / 1000} s`)));
  });
}

function summary(answers: Answer[]): PageOutcome {
  const sorted = (values: number[]) => values.toSorted((a, b) => a - b);
  const at = (values: number[], share: number) =>
    values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
  const times = sorted(answers.map(({ ms }) => ms));
  const figure = (pattern: RegExp) =>
    at(sorted(answers.map(({ timing }) => Number(pattern.exec(timing)?.[1] ?? 0))), 0.5);
  const errors: Record<string, number> = {};
  for (const { error } of answers) if (error) errors[error] = (errors[error] ?? 0) + 1;
  return {
    pages: answers.length,
    p50: at(times, 0.5),
    p95: at(times, 0.95),
    p99: at(times, 0.99),
    max: times.at(-1) ?? 0,
    bytes: answers.reduce((sum, { bytes }) => sum + bytes, 0) / Math.max(1, answers.length),
    errors,
    server: { total: figure(/total;dur=([\d.]+)/), calls: figure(/desc="(\d+) calls/) },
  };
}
