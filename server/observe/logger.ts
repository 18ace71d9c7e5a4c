import { masked } from "./mask.ts";
import type { Observation, Observe } from "./observation.ts";

/** Counted by the metrics and kept by the database; hundreds a second would push everything else out of a log. */
const QUIET = new Set<Observation["kind"]>(["engine.tick", "check.ran", "rest.reloaded"]);
/** Said on the terminal in other words. */
const FILE_ONLY = new Set<Observation["kind"]>(["start.step", "start.ready", "start.failed"]);

/** An observation with its instant (ISO 8601), as it goes to the log file. */
export type LoggedEvent = { time: string } & Observation;

/** A reader of our output that leaves (a closed terminal, `| head`) must not end the process. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

/** Hands an event to the supervisor, which keeps the log file; without one nothing happens. */
export function toSupervisor(event: LoggedEvent): void {
  if (process.connected) process.send?.({ observed: event }, undefined, undefined, () => undefined);
}

/**
 * One line per observation on the given stream: JSON for machines, or words for a terminal. What is not too frequent for
 * a log is kept by `keep`, too.
 */
export function createObserve({
  json,
  write = (line) => process.stderr.write(line),
  now = () => new Date(),
  keep,
}: {
  json: boolean;
  write?: (line: string) => void;
  now?: () => Date;
  keep?: (event: LoggedEvent) => void;
}): Observe {
  return (given) => {
    const observation = withoutTokens(given);
    const event = { time: now().toISOString(), ...observation };
    const isQuiet = QUIET.has(observation.kind);
    if (!isQuiet) keep?.(event);
    if (json) write(`${JSON.stringify(event)}\n`);
    else if (!isQuiet && !FILE_ONLY.has(observation.kind))
      write(`${event.time.slice(11, 19)} ${words(observation)}\n`);
  };
}

const withoutTokens = (observation: Observation): Observation =>
  Object.fromEntries(
    Object.entries(observation).map(([name, value]) => [
      name,
      typeof value === "string" ? masked(value) : value,
    ]),
  ) as Observation;

function words({ kind, ...rest }: Observation): string {
  const facts = Object.entries(rest)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => (name === "message" ? String(value) : `${name}=${String(value)}`));
  return [kind, ...facts].join(" ");
}
