/** What the start says on the terminal: steps with their times, the address, and how to sign in. */
import type { Config } from "./config.ts";

/** Runs one step of the start and says how long it took. */
export async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  const result = await work();
  process.stderr.write(`  ${name}: ${((performance.now() - from) / 1000).toFixed(1)} s\n`);
  return result;
}

/** The last words of a start: where it is, and what to do now. */
export function banner({
  config,
  web,
  setupLink,
}: {
  config: Config;
  web: string;
  setupLink: string | null;
}): void {
  const began = (globalThis as { [key: symbol]: unknown })[Symbol.for("pilothouse.started")];
  const seconds = typeof began === "number" ? ` (${((performance.now() - began) / 1000).toFixed(1)} s)` : "";
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
  else if (config.part !== "control-plane")
    lines.push(`Sign in at ${web}/login. Forgotten password: npm run reset-password -- EMAIL`);
  process.stdout.write(`\n${lines.join("\n")}\n\n`);
}
