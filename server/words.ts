/** What the start says on the terminal: steps with their times, the address, and how to sign in. */
import type { Config } from "./config.ts";
import type { Observe } from "./observe/observation.ts";

/** Runs one step of the start and says how long it took. */
export async function step<T>(name: string, work: () => Promise<T>, observe?: Observe): Promise<T> {
  const from = performance.now();
  const result = await work();
  const ms = Math.round(performance.now() - from);
  observe?.({ kind: "start.step", step: name, ms });
  process.stderr.write(`  ${name}: ${(ms / 1000).toFixed(1)} s\n`);
  return result;
}

/** The last words of a start: where it is, and what to do now. */
export function banner({
  config,
  web,
  setupLink,
  observe,
}: {
  config: Config;
  web: string;
  setupLink: string | null;
  observe: Observe;
}): void {
  const began = (globalThis as { [key: symbol]: unknown })[Symbol.for("pilothouse.started")];
  const ms = Math.round(performance.now() - (typeof began === "number" ? began : 0));
  observe({ kind: "start.ready", url: web, ms });
  const seconds = ` (${(ms / 1000).toFixed(1)} s)`;
  const lines =
    config.part === "control-plane"
      ? [`Pilothouse's control plane answers on http://${config.host}:${config.port}${seconds}`]
      : [`Pilothouse is ready at ${web}${seconds}`];
  if (setupLink)
    lines.push(
      "",
      "No account yet. Whoever opens this link becomes the administrator; it works once:",
      `  ${setupLink}`,
    );
  else if (config.standalone)
    lines.push("Whoever reaches it sees the health checks, and nothing else; nobody signs in.");
  else if (config.part !== "control-plane")
    lines.push(`Sign in at ${web}/login. Forgotten password: npm run reset-password -- EMAIL`);
  process.stdout.write(`\n${lines.join("\n")}\n\n`);
}
