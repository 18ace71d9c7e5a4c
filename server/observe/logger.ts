import type { Observation, Observe } from "./observation.ts";

const QUIET = new Set<Observation["kind"]>(["engine.tick", "check.ran", "rest.reloaded"]);

/** A reader of our output that leaves (a closed terminal, `| head`) must not end the process. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

/** One line per observation on the given stream: JSON for machines, or words for a terminal. */
export function createObserve({
  json,
  write = (line) => process.stderr.write(line),
  now = () => new Date(),
}: {
  json: boolean;
  write?: (line: string) => void;
  now?: () => Date;
}): Observe {
  return (observation) => {
    if (json) write(JSON.stringify({ time: now().toISOString(), ...observation }) + "\n");
    else if (!QUIET.has(observation.kind))
      write(`${now().toISOString().slice(11, 19)} ${words(observation)}\n`);
  };
}

function words({ kind, ...rest }: Observation): string {
  const facts = Object.entries(rest)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => (name === "message" ? String(value) : `${name}=${String(value)}`));
  return [kind, ...facts].join(" ");
}
