/**
 * The file of a backup, inside gzip: the line `pilothouse-backup 1`, a line of JSON (the header), then per table `T name`,
 * its rows in COPY's text format as `D <bytes>` and that many bytes, `E`; at the end `Z` and the SHA-256 of all before it.
 * Every line ends with a line feed, so `zcat FILE | head` shows what it is.
 */
import { createHash } from "node:crypto";
import { StartError } from "#server/db/start-error.ts";

const MAGIC = "pilothouse-backup";
/** Raised when an older version could not read what this one writes. */
const FORMAT = 1;
/** A line that is longer is none of ours, in bytes; the header names each table's columns. */
const LONGEST_LINE = 16 * 1024 * 1024;

/** One table: its rows are in the file in the order of `Header.tables`. */
export interface TableFacts {
  schema: string;
  name: string;
  columns: string[];
  rows: number;
}

export interface Header {
  /** The product's version that made it. */
  version: string;
  /** When, ISO 8601. */
  made: string;
  migrations: { name: string; hash: string }[];
  tables: TableFacts[];
  sequences: { schema: string; name: string; value: string; called: boolean }[];
  /** Partitions are no tables of their own here: rows go through their parents. These have to be there for that. */
  partitions: { schema: string; name: string; parent: string; bound: string }[];
  key: {
    /** Tells whether a PILOTHOUSE_KEY is the one the secrets were encrypted with, without telling the key. */
    check: string;
    /** The key and the session secret themselves, only when they were asked for. */
    values?: { key: string; session?: string };
  };
}

/** The parts of a file as they are written and read. */
export type Part =
  | { kind: "header"; header: Header }
  | { kind: "table"; name: string }
  | { kind: "data"; bytes: Buffer }
  | { kind: "end of table" };

/** Turns parts into the bytes of a file, checksum and all. */
export async function* encode(parts: AsyncIterable<Part>): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  const hashed = (bytes: Buffer) => {
    hash.update(bytes);
    return bytes;
  };
  const line = (words: string) => hashed(Buffer.from(`${words}\n`));
  yield line(`${MAGIC} ${FORMAT}`);
  for await (const part of parts) {
    if (part.kind === "header") yield line(JSON.stringify(part.header));
    else if (part.kind === "table") yield line(`T ${part.name}`);
    else if (part.kind === "end of table") yield line("E");
    else {
      yield line(`D ${part.bytes.length}`);
      yield hashed(part.bytes);
    }
  }
  yield Buffer.from(`Z ${hash.digest("hex")}\n`);
}

/**
 * Turns the bytes of a file into its parts. Throws StartError when it is no backup, or one of a newer format; when the
 * bytes end early or the checksum differs, which is known only at the very end, so nothing may be kept before.
 */
export async function* decode(source: AsyncIterable<Buffer>): AsyncGenerator<Part> {
  const { line, bytes, digest } = reader(source);
  const [magic, format] = (await line().catch(() => "")).split(" ");
  if (magic !== MAGIC) throw new StartError("This file is not a backup of Pilothouse.");
  if (Number(format) > FORMAT)
    throw new StartError(
      `This backup was made by a newer version of Pilothouse (format ${format}, this one knows ${FORMAT}): restore it with that version.`,
    );
  yield { kind: "header", header: JSON.parse(await line()) as Header };
  for (;;) {
    const soFar = digest();
    const [kind = "", ...words] = (await line()).split(" ");
    const rest = words.join(" ");
    if (kind === "T") yield { kind: "table", name: rest };
    else if (kind === "E") yield { kind: "end of table" };
    else if (kind === "D")
      for await (const piece of bytes(Number(rest))) yield { kind: "data", bytes: piece };
    else if (kind === "Z" && rest === soFar) return;
    else throw damaged();
  }
}

/** What every sign of a damaged file comes to. */
export const damaged = () =>
  new StartError("This backup is cut short or damaged: nothing was restored. Take another copy of it.");

function reader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]();
  const hash = createHash("sha256");
  let buffer: Buffer = Buffer.alloc(0);
  async function more(): Promise<void> {
    const next = await chunks.next();
    if (next.done) throw damaged();
    buffer = buffer.length === 0 ? next.value : Buffer.concat([buffer, next.value]);
  }
  function take(length: number): Buffer {
    const taken = buffer.subarray(0, length);
    buffer = buffer.subarray(length);
    hash.update(taken);
    return taken;
  }
  return {
    digest: () => hash.copy().digest("hex"),
    async line(): Promise<string> {
      for (let searched = 0; ;) {
        const at = buffer.indexOf("\n", searched);
        if (at >= 0)
          return take(at + 1)
            .subarray(0, at)
            .toString();
        searched = buffer.length;
        if (searched > LONGEST_LINE) throw damaged();
        await more();
      }
    },
    async *bytes(length: number): AsyncGenerator<Buffer> {
      if (!Number.isSafeInteger(length) || length < 0) throw damaged();
      for (let left = length; left > 0;) {
        if (buffer.length === 0) await more();
        const piece = take(Math.min(left, buffer.length));
        left -= piece.length;
        yield piece;
      }
    },
  };
}
