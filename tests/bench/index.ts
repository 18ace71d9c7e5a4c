/**
 * `npm run bench [-- --quick] [--layer] [name…]`: runs the benches, prints their tables and writes docs/benchmarks.md.
 * `--quick` is for development: short rounds, nothing written. A bench that is not run keeps its section in the file.
 */
import { readFile, writeFile } from "node:fs/promises";
import { benchRest } from "./rest.ts";
import { benchStart } from "./start.ts";

interface Bench {
  name: string;
  title: string;
  /** Returns the section's Markdown, the machine's description in it. */
  run(options: { quick: boolean; layer: boolean }): Promise<string>;
}

const BENCHES: Bench[] = [
  { name: "start", title: "Starting and stopping", run: benchStart },
  { name: "rest", title: "/db compared with PostgREST 12.0.2", run: benchRest },
];
const FILE = new URL("../../docs/benchmarks.md", import.meta.url);

const words = process.argv.slice(2);
const quick = words.includes("--quick");
const names = words.filter((word) => !word.startsWith("--"));

async function main(): Promise<void> {
  for (const bench of BENCHES.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const section = await bench.run({ quick, layer: words.includes("--layer") });
    process.stdout.write(`\n${bench.title}\n\n${section}\n`);
    if (!quick) await writeSection(bench.title, section);
  }
}

/** Replaces the section of that title, or adds it. */
async function writeSection(title: string, section: string): Promise<void> {
  const text = await readFile(FILE, "utf8").catch(() => "# Benchmarks\n\nWritten by `npm run bench`.\n");
  const [intro = "", ...sections] = text.split(/^(?=## )/m);
  const heading = `## ${title}\n`;
  const fresh = `${heading}\n${section.trim()}\n\n`;
  const index = sections.findIndex((existing) => existing.startsWith(heading));
  if (index < 0) sections.push(fresh);
  else sections[index] = fresh;
  await writeFile(
    FILE,
    `${[intro.trimEnd(), "", ...sections.map((part) => `${part.trimEnd()}\n`)].join("\n").trimEnd()}\n`,
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
