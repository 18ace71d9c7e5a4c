import type { Socket } from "node:net";
import { closing, limitBytes } from "../client.ts";
import { below, searchOf, walk, type Entry, type Found } from "./files.ts";

export interface SmbServer {
  host: string;
  port: number;
  share: string;
  domain: string;
  username: string;
  password: string;
}

/** Bytes that all listings together may have. Ours to choose. */
const BYTE_LIMIT = 64 * 1024 * 1024;

/** Files of a Windows share over SMB 2, signed in by NTLM version 2. The protocol's signing and encryption are not spoken. */
export async function smb(
  server: SmbServer,
  path: string,
  recursive: boolean,
  signal: AbortSignal,
): Promise<Found> {
  const { default: Smb } = await import("@tryjsky/v9u-smb2");
  const client = new Smb({
    share: `\\\\${server.host}\\${server.share}`,
    domain: server.domain,
    username: server.username,
    password: server.password,
    port: server.port,
    autoCloseTimeout: 0,
  });
  const { socket } = client as unknown as { socket: Socket };
  const destroy = () => void socket.destroy();
  limitBytes(socket, BYTE_LIMIT, destroy);
  // When the server hangs up the library waits on.
  const gone = new Promise<never>((_, fail) => {
    socket.once("close", () => fail(new Error("the server hung up")));
  });
  gone.catch(() => undefined);
  return closing({ close: async () => client.disconnect(), destroy }, signal, async () => {
    const search = searchOf(path, recursive);
    const root = search.root === "." ? "" : search.root;
    const files = await walk(search, signal, async (folder) => {
      const at = folder === "" ? root : below(root, folder);
      try {
        const reading = client.readdir(at.replaceAll("/", "\\"), { stats: true });
        return (await Promise.race([reading, gone])).map((found): Entry => {
          const { name, mtime: modified } = found;
          const { size } = found as unknown as { size: number };
          return {
            name,
            isFolder: found.isDirectory(),
            about: () => ({
              name,
              path: below(at, name),
              size: Number(size),
              mode: "",
              modified,
              is_dir: false,
            }),
          };
        });
      } catch (error) {
        const code = (error as { code?: string }).code ?? "";
        const isPassedOver = code === "STATUS_ACCESS_DENIED" && search.pattern !== null && folder !== "";
        if (MISSING.has(code) || isPassedOver) return null;
        throw new Error(WORDS.get(code) ?? (error instanceof Error ? error.message : String(error)));
      }
    });
    return { files };
  });
}

const MISSING: ReadonlySet<string> = new Set([
  "STATUS_OBJECT_NAME_NOT_FOUND",
  "STATUS_OBJECT_PATH_NOT_FOUND",
]);
const WORDS: ReadonlyMap<string, string> = new Map([
  ["STATUS_LOGON_FAILURE", "the server does not let this user in: the name or the password is wrong"],
  ["STATUS_BAD_NETWORK_NAME", "the server has no such share"],
  ["STATUS_ACCESS_DENIED", "this user may not read there"],
]);
