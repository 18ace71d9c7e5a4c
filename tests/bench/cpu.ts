/** Processor time by process, from /proc: what a page costs, also on a machine that others use too. */
import { readFileSync } from "node:fs";
import { familyOf } from "#tests/support/processes.ts";

/** In milliseconds. */
export interface Cpu {
  web: number;
  plane: number;
  database: number;
}
interface During extends Cpu {
  seconds: number;
}
interface Pids {
  npm: number;
  postmaster: number;
}

/** Of a tick of the kernel's clock, which is 100 a second wherever this runs. */
const TICK_MS = 10;

/** What the product used while the work went on. Database connections that ended meanwhile count in the postmaster. */
export async function cpuDuring(pids: Pids, work: () => Promise<unknown>): Promise<During> {
  const [from, before] = [performance.now(), now(pids)];
  await work();
  const after = now(pids);
  return {
    web: after.web - before.web,
    plane: after.plane - before.plane,
    database: after.database - before.database,
    seconds: (performance.now() - from) / 1000,
  };
}

/** The work's share of a page, less what went on anyway. */
export function perPage(busy: During, idle: During, pages: number): Cpu {
  const share = busy.seconds / idle.seconds;
  const of = (part: keyof Cpu) => (busy[part] - share * idle[part]) / pages;
  return { web: of("web"), plane: of("plane"), database: of("database") };
}

function now({ npm, postmaster }: Pids): Cpu {
  const family = familyOf(npm);
  const one = (file: string) => family.find(({ command }) => command.includes(file))?.pid ?? 0;
  return {
    web: used(one("build/web.js")),
    plane: used(one("build/control-plane.js")),
    database: familyOf(postmaster).reduce((sum, { pid }) => sum + used(pid), ended(postmaster)),
  };
}

const fields = (pid: number): number[] => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
  } catch {
    return []; // it ended while we looked
  }
};
const used = (pid: number) => TICK_MS * ((fields(pid)[11] ?? 0) + (fields(pid)[12] ?? 0));
/** Children that are no more. */
const ended = (pid: number) => TICK_MS * ((fields(pid)[13] ?? 0) + (fields(pid)[14] ?? 0));
