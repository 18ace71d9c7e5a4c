import type { Duplex } from "node:stream";
import { closing, limitBytes } from "../client.ts";
import { below, octal, searchOf, walk, type Entry, type File, type Found } from "./files.ts";

/** What there is below the library's own calls, which list a folder only as a whole. */
interface Protocol {
  opendir(path: string, done: (error: Failure, handle: Buffer) => void): void;
  readdir(
    handle: Buffer,
    done: (error: Failure, list: { filename: string; attrs: Attributes }[]) => void,
  ): void;
  stat(path: string, done: (error: Failure, attrs: Attributes) => void): void;
  close(handle: Buffer, done: () => void): void;
  ext_openssh_statvfs(path: string, done: (error: Failure, found: Space) => void): void;
}
type Failure = (Error & { code?: number }) | undefined;
type Space = Record<"f_frsize" | "f_blocks" | "f_bavail", number>;
interface Attributes {
  size: number;
  mode: number;
  mtime: number;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

export interface SftpServer {
  host: string;
  port: number;
  username: string;
  password: string | undefined;
  privateKey: string | undefined;
}

/** Files of an SFTP server, without following links. Any host key is taken: there is nothing to compare it with. */
export async function sftp(
  server: SftpServer,
  path: string,
  recursive: boolean,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<Found> {
  const { default: SftpClient } = await import("ssh2-sftp-client");
  const client = new SftpClient("check", {
    error: () => undefined,
    end: () => undefined,
    close: () => undefined,
  });
  const inner = client as unknown as { sftp?: Protocol; client: { _sock?: Duplex } };
  const destroy = () => void inner.client._sock?.destroy();
  return closing({ close: () => client.end(), destroy }, signal, async () => {
    await client.connect({ ...server, readyTimeout: timeoutMs, retries: 0 } as Parameters<
      typeof client.connect
    >[0]);
    limitBytes(inner.client._sock, BYTE_LIMIT, destroy);
    const search = searchOf(path, recursive);
    const wrapper = inner.sftp!;
    const files = await walk(search, signal, async (folder) => {
      const at = folder === "" ? search.root : below(search.root, folder);
      const handle = await new Promise<Buffer | null>((done, fail) => {
        wrapper.opendir(at, (error, handle) => {
          const code = error?.code;
          const isPassedOver = code === FORBIDDEN && search.pattern !== null && folder !== "";
          if (error && code !== MISSING && !isPassedOver) fail(new Error(`${at}: ${error.message}`));
          else done(error ? null : handle);
        });
      });
      return handle && listed(wrapper, handle, at);
    });
    return { files, ...(await spaceOf(wrapper, search.root)) };
  });
}

/** Bytes that all listings together may have. Ours to choose. */
const BYTE_LIMIT = 64 * 1024 * 1024;
/** SFTP's words for a file that is not there, and one that may not be read. */
const MISSING = 2;
const FORBIDDEN = 3;
const END = 1;

/** A folder is read part by part, so that one without an end does not fill our memory. */
async function* listed(wrapper: Protocol, handle: Buffer, folder: string): AsyncGenerator<Entry> {
  try {
    for (;;) {
      const part = await new Promise<{ filename: string; attrs: Attributes }[] | null>((done, fail) => {
        wrapper.readdir(handle, (error, list) => {
          if (error && error.code !== END) fail(error);
          else done(error ? null : list);
        });
      });
      if (!part) return;
      for (const { filename: name, attrs } of part) {
        if (name === "." || name === "..") continue;
        const path = below(folder, name);
        yield { name, isFolder: attrs.isDirectory(), about: () => fileOf(wrapper, name, path, attrs) };
      }
    }
  } finally {
    wrapper.close(handle, () => undefined);
  }
}

/** A link is the file it leads to. */
async function fileOf(
  wrapper: Protocol,
  name: string,
  path: string,
  attrs: Attributes,
): Promise<File | null> {
  const found = attrs.isSymbolicLink()
    ? await new Promise<Attributes>((done) =>
        wrapper.stat(path, (error, target) => done(error ? attrs : target)),
      )
    : attrs;
  if (found.isDirectory()) return null;
  const { size, mode, mtime } = found;
  return { name, path, size, mode: octal(mode), modified: new Date(mtime * 1000), is_dir: false };
}

/** Servers other than OpenSSH may not say. */
function spaceOf(wrapper: Protocol, path: string): Promise<Omit<Found, "files">> {
  return new Promise((done) => {
    try {
      wrapper.ext_openssh_statvfs(path, (error, found) => {
        if (error) return done({});
        const { f_frsize, f_blocks, f_bavail } = found;
        done({ size: f_frsize * f_blocks, availableSize: f_frsize * f_bavail });
      });
    } catch {
      done({}); // the server does not know the question
    }
  });
}
