/** What the figures were measured on, without names. */
import os from "node:os";

export function describeMachine(extra: string[] = []): string {
  const memory = Math.round(os.totalmem() / 1024 ** 3);
  return [
    `${os.cpus().length} cores (${os.arch()})`,
    `${memory} GB of memory`,
    `${os.type()}`,
    `Node ${process.versions.node}`,
    ...extra,
  ].join(", ");
}

/** A Markdown table; the first row is the head, numbers are right-aligned. */
export function table(rows: (string | number)[][]): string {
  const [head = [], ...body] = rows;
  const line = (cells: (string | number)[]) => `| ${cells.join(" | ")} |`;
  const rule = head.map((_, index) => (/^[\d.]+$/.test(String(body[0]?.[index])) ? "---:" : "---"));
  return [line(head), line(rule), ...body.map(line)].join("\n");
}
