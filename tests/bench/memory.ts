/**
 * What the product takes of the machine's memory: the sum of the proportional shares (PSS) of all its processes after a
 * plain `npm start` on a new data folder, idle and while pages are read. npm itself is left out.
 */
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { familyOf, type Process } from "#tests/support/processes.ts";
import { ADMIN, signIn, startProduct, type Product } from "#tests/support/product.ts";
import { ask, ended, forkTypeScript } from "./children.ts";
import { describeMachine, table } from "./machine.ts";
import type { Options } from "./options.ts";
import { errorsOf, type PageOrder, type PageOutcome } from "./pages-order.ts";

const IDLE_LIMIT_MB = 450;
/** How long after the last request idle memory is read, s. */
const IDLE_S = 60;
const LOAD_S = 60;
const PAGES_A_SECOND = 8;
const PATHS = ["/", "/health", "/health?status=unhealthy", "/health?pageSize=10"];
const MB = 1024 * 1024;

/** Of one kind of process, in bytes. */
export interface Share {
  kind: string;
  processes: number;
  pss: number;
  /** The part that is nobody else's. */
  own: number;
}

/** Measures idle memory, then that under load; each 60 s unless `quick`. */
export async function benchMemory({ quick }: Options): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "pilothouse-bench-"));
  await chmod(dataDir, 0o755);
  const product = await startProduct({ dataDir, command: ["npm", "start", "--silent"] });
  try {
    const cookie = await signIn(product.url, ADMIN);
    for (const path of PATHS) await visit(product, path, cookie);
    await sleep((quick ? 10 : IDLE_S) * 1000);
    const idle = await sharesOf(product.pid);
    const { peak, outcome } = await underLoad(product, cookie, quick ? 15 : LOAD_S);
    return report(idle, peak, outcome);
  } finally {
    await product.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function visit(product: Product, path: string, cookie: string): Promise<void> {
  const response = await fetch(product.url + path, { headers: { cookie } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
}

/** The fullest moment, looked at every two seconds. */
async function underLoad(product: Product, cookie: string, seconds: number) {
  const client = forkTypeScript("pages-client.ts");
  try {
    const order: PageOrder = {
      url: product.url,
      paths: PATHS.slice(1),
      headers: { cookie, "accept-encoding": "gzip" },
      rate: PAGES_A_SECOND,
      seconds,
    };
    const reading = ask<PageOutcome>(client, order);
    let isRead = false;
    void reading.finally(() => (isRead = true)).catch(() => undefined);
    let peak: Share[] = [];
    while (!isRead) {
      await sleep(2000);
      const now = await sharesOf(product.pid);
      if (sum(now) > sum(peak)) peak = now;
    }
    return { peak, outcome: await reading };
  } finally {
    await ended(client);
  }
}

/** Of everything below npm, which is the process given. */
export async function sharesOf(npm: number): Promise<Share[]> {
  const shares = new Map<string, Share>();
  for (const one of familyOf(npm)) {
    const kind = kindOf(one);
    const text = kind && (await readFile(`/proc/${one.pid}/smaps_rollup`, "utf8").catch(() => ""));
    if (!kind || !text) continue; // npm, its shell, or one that has just ended
    const share = shares.get(kind) ?? { kind, processes: 0, pss: 0, own: 0 };
    share.processes += 1;
    share.pss += bytes(text, "Pss");
    share.own += bytes(text, "Private_Clean") + bytes(text, "Private_Dirty");
    shares.set(kind, share);
  }
  return [...shares.values()].toSorted((a, b) => a.kind.localeCompare(b.kind));
}

function kindOf({ command }: Process): string | null {
  if (/^npm |^sh -c /.test(command)) return null;
  if (command.includes("server/start.js")) return "supervisor";
  if (command.includes("build/control-plane.js")) return "control plane";
  if (command.includes("build/web.js")) return "web";
  if (/bin\/postgres /.test(command)) return "PostgreSQL: postmaster";
  if (!command.startsWith("postgres: ")) return `other: ${command.slice(0, 60)}`;
  return /\d\(\d+\)/.test(command) ? "PostgreSQL: connections" : "PostgreSQL: background";
}

/** A line of smaps_rollup, which says kB. */
const bytes = (text: string, name: string) =>
  1024 * Number(new RegExp(`^${name}: +(\\d+) kB`, "m").exec(text)?.[1] ?? 0);

const sum = (shares: readonly Share[]) => shares.reduce((total, { pss }) => total + pss, 0);

function report(idle: Share[], peak: Share[], outcome: PageOutcome): string {
  const mb = (value: number) => (value / MB).toFixed(1);
  const kinds = [...new Set([...idle, ...peak].map(({ kind }) => kind))].toSorted();
  const row = (kind: string) => {
    const [still, busy] = [idle, peak].map((shares) => shares.find((share) => share.kind === kind));
    return [
      kind,
      still?.processes ?? 0,
      mb(still?.pss ?? 0),
      mb(still?.own ?? 0),
      busy?.processes ?? 0,
      mb(busy?.pss ?? 0),
    ];
  };
  return [
    `Sums of PSS, MB (1,048,576 bytes). Idle: ${IDLE_S} s after the last request, the product watching itself; limit ` +
      `${IDLE_LIMIT_MB}. Loaded: the fullest moment of ${outcome.pages} pages at ${PAGES_A_SECOND} a second, ` +
      `errors: ${errorsOf(outcome)}.`,
    "",
    table([
      ["what", "processes", "idle", "its own", "processes", "loaded"],
      ...kinds.map(row),
      ["**together**", "", `**${mb(sum(idle))}**`, "", "", `**${mb(sum(peak))}**`],
    ]),
    "",
    `${describeMachine()}.`,
  ].join("\n");
}
