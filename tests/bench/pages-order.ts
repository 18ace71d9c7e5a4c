/** What is asked of the readers of pages, and what they answer. */

export interface PageOrder {
  url: string;
  /** Taken in turn. */
  paths: string[];
  headers: Record<string, string>;
  /** Pages a second. */
  rate: number;
  seconds: number;
}

export interface PageOutcome {
  pages: number;
  /** Milliseconds. */
  p50: number;
  p95: number;
  p99: number;
  max: number;
  /** Of a page as it was sent, on the average. */
  bytes: number;
  /** Anything but a whole answer of 200 within the limit, by what it was. */
  errors: Record<string, number>;
  /** What the server said in Server-Timing, medians: ms until the head, and calls upstream. */
  server: { total: number; calls: number };
}

/** What went wrong, for a table: 0, or how often what. */
export const errorsOf = ({ errors }: PageOutcome): string =>
  Object.entries(errors)
    .map(([words, times]) => `${times} × ${words}`)
    .join(", ") || "0";
