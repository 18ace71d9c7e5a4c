/**
 * `npm run bench [-- --quick] [name…]`: runs the benches, prints their tables and writes docs/benchmarks.md.
 * `--quick` is for development: short rounds, nothing written. A bench that is not run keeps its section in the file.
 * rest: `--layer`. pages: `--size=1k|2k|10k|100k`, `--statements`.
 */
import { readFile, writeFile } from "node:fs/promises";
import { benchEndurance } from "./endurance.ts";
import { benchMemory } from "./memory.ts";
import type { Options } from "./options.ts";
import { benchPages } from "./pages.ts";
import { benchAudit } from "./audit.ts";
import { benchChecks } from "./checks.ts";
import { benchGuesses } from "./guesses.ts";
import { benchHeartbeats } from "./heartbeats.ts";
import { benchRest } from "./rest.ts";
import { benchRights } from "./rights.ts";
import { benchScripts } from "./scripts.ts";
import { benchStart } from "./start.ts";

interface Bench {
  name: string;
  title: string;
  /** Returns the section's Markdown, the machine's description in it. */
  run(options: Options): Promise<string>;
}

const BENCHES: Bench[] = [
  { name: "start", title: "Starting and stopping", run: benchStart },
  { name: "memory", title: "Memory", run: benchMemory },
  { name: "pages", title: "Pages", run: benchPages },
  { name: "checks", title: "Checks a second", run: benchChecks },
  { name: "endurance", title: "Ten minutes beside bad neighbours", run: benchEndurance },
  { name: "heartbeats", title: "Heartbeats a second", run: benchHeartbeats },
  { name: "guesses", title: "Guessing passwords", run: benchGuesses },
  { name: "rights", title: "Row policies", run: benchRights },
  { name: "scripts", title: "JavaScript of a page", run: benchScripts },
  { name: "audit", title: "Writes with the audit log", run: benchAudit },
  { name: "rest", title: "/db compared with PostgREST 12.0.2", run: benchRest },
];
const FILE = new URL("../../docs/benchmarks.md", import.meta.url);

const words = process.argv.slice(2);
const options: Options = { quick: words.includes("--quick"), words };
const names = words.filter((word) => !word.startsWith("--"));

async function main(): Promise<void> {
  const unknown = names.find((name) => BENCHES.every((bench) => bench.name !== name));
  if (unknown)
    throw new Error(`There is no bench ${unknown}: ${BENCHES.map(({ name }) => name).join(", ")}.`);
  for (const bench of BENCHES.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const section = await bench.run(options);
    process.stdout.write(`\n${bench.title}\n\n${section}\n`);
    if (!options.quick) await writeSection(bench.title, section);
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
