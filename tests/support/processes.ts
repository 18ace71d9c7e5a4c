import { readdirSync, readFileSync } from "node:fs";

export interface Process {
  pid: number;
  parent: number;
  /** When it began, in the system's ticks: with the pid, this names a process for good. */
  born: string;
  command: string;
}

/** Every process of this machine, from /proc (Linux). */
export function processes(): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const facts = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        const [state, parent] = facts;
        if (state === "Z") return [];
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
        return [{ pid: Number(name), parent: Number(parent), born: facts[19] ?? "", command }];
      } catch {
        return []; // it ended while we looked
      }
    });
}

/** The process and everything below it. */
export function familyOf(pid: number): Process[] {
  const all = processes();
  const family = new Set([pid]);
  for (let grew = true; grew;) {
    grew = false;
    for (const one of all)
      if (family.has(one.parent) && !family.has(one.pid)) {
        family.add(one.pid);
        grew = true;
      }
  }
  return all.filter((one) => family.has(one.pid));
}

/** Those of the given processes that run now. */
export const stillThere = (family: readonly Process[]): Process[] =>
  processes().filter(({ pid, born }) => family.some((one) => one.pid === pid && one.born === born));
