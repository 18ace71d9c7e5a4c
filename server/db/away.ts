/**
 * Does the error say that the database is away: refused or lost connections, a server that shuts down, starts or is full?
 * Then it is nobody's fault here, and the same may work in a moment.
 */
export function isDatabaseAway(error: unknown): boolean {
  const { code = "", message = "" } = error as { code?: unknown; message?: string };
  return (
    /^(08|57P0|53300|ECONN|EPIPE)/.test(String(code)) ||
    /Connection terminated|timeout exceeded when trying to connect|terminating connection/.test(message)
  );
}
