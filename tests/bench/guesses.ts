/**
 * Guessing passwords (issue 5, acceptance 3): 50,000 guesses from one and from 500 addresses over two control planes on
 * one database, with the owner signing in meanwhile; then whether the time of an answer tells who has an account.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { readFileSync } from "node:fs";
import { LIMITS } from "#server/identity/throttle.ts";
import { familyOf } from "#tests/support/processes.ts";
import { startProduct, type Product } from "#tests/support/product.ts";
import { newSender, type Sender } from "./guesses-sender.ts";
import { startInstallation, type Installation } from "./guesses-installation.ts";
import { compareTimes } from "./guesses-times.ts";
import { describeMachine, table } from "./machine.ts";
import type { Options } from "./options.ts";

const GUESSES = 50_000;
const ADDRESSES = 500;
/** Guesses on their way at once. */
const WIDTH = 32;
/** How often the owner signs in meanwhile, ms. */
const OWNER_MS = 3_000;
const OWNER = { address: "127.0.200.1", account: 0 };
const MB = 1024 * 1024;

interface Attack {
  name: string;
  guesses: number;
  seconds: number;
  /** Answered that the password is wrong: looked at. */
  judged: number;
  refused: number;
  other: number;
  owner: { tries: number; in: number; slowestMs: number };
  /** From a browser and a place that were never signed in. */
  stranger: string;
  rss: { before: number; peak: number };
}

export async function benchGuesses({ quick }: Options): Promise<string> {
  const guesses = quick ? 2_000 : GUESSES;
  const installation = await startInstallation();
  const webs: Product[] = [];
  try {
    for (const plane of installation.planes)
      webs.push(await startProduct({ env: { ...installation.webEnv, UPSTREAM_URL: plane.url } }));
    const attacks: Attack[] = [];
    for (const [account, addresses] of [
      [1, 1],
      [2, ADDRESSES],
    ] as const)
      attacks.push(await attack({ installation, webs, account, addresses, guesses }));
    const times = await compareTimes(installation, quick ? 60 : 500);
    return report(attacks, times);
  } finally {
    for (const web of webs) await web.stop();
    await installation.stop();
  }
}

/** An address for the n-th attacker; all of 127.0.0.0/8 is this machine. */
const addressOf = (n: number) => `127.1.${Math.floor(n / 250)}.${1 + (n % 250)}`;

interface Order {
  installation: Installation;
  webs: readonly Product[];
  account: number;
  addresses: number;
  guesses: number;
}

async function attack({ installation, webs, account, addresses, guesses }: Order): Promise<Attack> {
  const email = installation.emailOf(account);
  const at = (n: number) => webs[n % webs.length]?.url ?? "";
  const owner = newSender(at(0), OWNER.address);
  if ((await owner.signIn(email, installation.password)) !== "in")
    throw new Error("the owner cannot sign in");
  const senders: Sender[] = Array.from({ length: Math.max(addresses, WIDTH) }, (_, n) =>
    newSender(at(n), addressOf(addresses === 1 ? 0 : n)),
  );
  const result: Attack = {
    name: addresses === 1 ? "one address" : `${addresses} addresses`,
    guesses,
    seconds: 0,
    judged: 0,
    refused: 0,
    other: 0,
    owner: { tries: 0, in: 0, slowestMs: 0 },
    stranger: "",
    rss: { before: memoryOf(installation.planes), peak: 0 },
  };
  let isOver = false;
  const beside = besides(result, { owner, email, installation, isOver: () => isOver });
  const from = performance.now();
  let next = 0;
  const work = async () => {
    for (let n = next++; n < guesses; n = next++) {
      const answer = await senders[n % senders.length]?.guess(email, `guess number ${n}`);
      if (answer === "judged") result.judged += 1;
      else if (answer === "refused") result.refused += 1;
      else result.other += 1;
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, work));
  result.seconds = (performance.now() - from) / 1000;
  result.stranger = await newSender(at(1), "127.0.201.1").signIn(email, installation.password);
  isOver = true;
  await beside;
  for (const sender of [...senders, owner]) sender.close();
  return result;
}

interface Beside {
  owner: Sender;
  email: string;
  installation: Installation;
  isOver(): boolean;
}

/** While it lasts: the owner comes by, and the memory of the control planes is looked at. */
async function besides(result: Attack, { owner, email, installation, isOver }: Beside): Promise<void> {
  while (!isOver()) {
    result.rss.peak = Math.max(result.rss.peak, memoryOf(installation.planes));
    const from = performance.now();
    owner.signOut();
    result.owner.tries += 1;
    if ((await owner.signIn(email, installation.password)) === "in") result.owner.in += 1;
    result.owner.slowestMs = Math.max(result.owner.slowestMs, performance.now() - from);
    await sleep(OWNER_MS);
  }
}

/** Resident bytes of the largest Node process of each control plane, together. */
function memoryOf(planes: readonly Product[]): number {
  const resident = (pid: number): number => {
    try {
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
    } catch {
      return 0; // it ended while we looked
    }
  };
  return planes
    .map(({ pid }) => Math.max(...familyOf(pid).map((one) => resident(one.pid))))
    .reduce((sum, bytes) => sum + bytes, 0);
}

function report(attacks: Attack[], times: string): string {
  const mb = (bytes: number) => Math.round(bytes / MB);
  return [
    describeMachine(["two control planes, two webs and the guessers on it"]),
    "",
    `At most ${LIMITS.password.account.most} wrong passwords of strangers are looked at per account and hour (${LIMITS.password.pair.most} in 15 minutes from one address), and ${LIMITS.password.known.most} in 15 minutes from each browser that signed in before.`,
    "",
    table([
      [
        "Guesses from",
        "Guesses",
        "A second",
        "Looked at",
        "Refused",
        "Other",
        "Owner in",
        "Slowest, ms",
        "Stranger with the right password",
        "RSS before, MB",
        "RSS peak, MB",
      ],
      ...attacks.map((one) => [
        one.name,
        one.guesses,
        Math.round(one.guesses / one.seconds),
        one.judged,
        one.refused,
        one.other,
        `${one.owner.in} of ${one.owner.tries}`,
        Math.round(one.owner.slowestMs),
        one.stranger,
        mb(one.rss.before),
        mb(one.rss.peak),
      ]),
    ]),
    "",
    times,
  ].join("\n");
}
