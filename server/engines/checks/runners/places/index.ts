import type { z } from "zod";
import type { FolderSpec } from "#app/contract/specs/checks/folder.ts";
import type { RunContext } from "../../runner.ts";
import { awsOf, gcpOf } from "../clouds.ts";
import type { Found } from "./files.ts";
import { gcs } from "./gcs.ts";
import { local } from "./local.ts";
import { s3 } from "./s3.ts";
import { sftp } from "./sftp.ts";
import { smb } from "./smb.ts";

type Spec = z.output<typeof FolderSpec>;
type Connections = "awsConnection" | "gcpConnection" | "smbConnection" | "sftpConnection";

/** Which connection a kind of path goes with. */
const GOES_WITH: Record<string, Connections> = {
  s3: "awsConnection",
  gcs: "gcpConnection",
  gs: "gcpConnection",
  smb: "smbConnection",
  sftp: "sftpConnection",
};

/** What is at the path of a spec, wherever that is; the sentence that says why it cannot be looked at. */
export async function findFiles(spec: Spec, context: RunContext): Promise<Found | string> {
  const { path, recursive } = spec;
  const kind = /^\\\\/.test(path)
    ? "smb"
    : (/^(\w+):\/\//.exec(path)?.[1] ?? (spec.sftpConnection ? "sftp" : null));
  const own = kind === null ? null : GOES_WITH[kind];
  if (own === undefined)
    return `path "${path}" must be a folder, s3://…, gcs://…, smb://…, \\\\… or sftp://…`;
  const other = Object.values(GOES_WITH).find((name) => name !== own && spec[name] !== undefined);
  if (other) return `${other} does not go with the path ${path}`;
  switch (own) {
    case null:
      return local(path, recursive, context.signal);
    case "awsConnection": {
      const given = spec.awsConnection;
      const [bucket, inside] = bucketOf(path, given?.bucket, given?.objectPath);
      if (bucket === "") return `path "${path}" must name a bucket: s3://bucket/folder`;
      return s3(await awsOf(given, context), { bucket, path: inside, recursive }, context);
    }
    case "gcpConnection": {
      const given = spec.gcpConnection;
      const [bucket, inside] = bucketOf(path, given?.bucket);
      if (bucket === "") return `path "${path}" must name a bucket: gcs://bucket/folder`;
      return gcs(await gcpOf(given, context), { bucket, path: inside, recursive }, context);
    }
    case "smbConnection":
      return onShare(spec, context);
    case "sftpConnection":
      return overSftp(spec, context);
  }
}

/** `s3://bucket/folder` has both; what a path leaves out the connection may say. */
function bucketOf(path: string, bucket = "", inside = ""): [bucket: string, inside: string] {
  const [, first = "", rest = ""] = /^\w+:\/\/([^/]*)\/?(.*)$/s.exec(path) ?? [];
  return [first || bucket, (rest || inside).replace(/^\/+/, "")];
}

/** `smb://host:445/share/folder` or `\\host\share\folder`. */
async function onShare(
  { path, recursive, smbConnection: given }: Spec,
  context: RunContext,
): Promise<Found | string> {
  const stored = given?.connection ? await context.connection(given.connection) : undefined;
  const plain = path.replace(/^smb:/, "").replaceAll("\\", "/");
  const [, host = "", port, share = "", inside = ""] =
    /^\/\/([^/:]*)(?::(\d+))?\/([^/]+)\/?(.*)$/s.exec(plain) ?? [];
  const own = hostOf(stored?.url ?? "");
  if (share === "" || (host === "" && !own))
    return `path "${path}" must be smb://host/share/folder or \\\\host\\share\\folder`;
  if (own && host !== "" && host !== own.host)
    return `path: ${given?.connection} is for the host ${own.host}`;
  if (given?.connection && !own)
    return `smbConnection: ${given.connection} has no url, which says where its host is`;
  const server = {
    host: own?.host ?? host,
    port: given?.port ?? Number(port ?? stored?.properties?.["port"] ?? own?.port ?? 445),
    share,
    domain: given?.domain ?? stored?.properties?.["domain"] ?? "",
    username: given?.username ?? stored?.username ?? "guest",
    password: given?.password ?? stored?.password ?? "",
  };
  return smb(server, inside.replace(/\/+$/, ""), recursive, context.signal);
}

/** A path of the connection's server, or `sftp://host:22/folder`. */
async function overSftp(
  { path, recursive, sftpConnection: given }: Spec,
  context: RunContext,
): Promise<Found | string> {
  const stored = given?.connection ? await context.connection(given.connection) : undefined;
  const [, at, port, inside] = /^sftp:\/\/([^/:]*)(?::(\d+))?(\/.*)?$/s.exec(path) ?? [];
  const own = hostOf(stored?.url ?? "");
  const asked = [given?.host, at].find((host) => host && host !== own?.host);
  if (own && asked) return `sftpConnection.host: ${given?.connection} is for the host ${own.host}`;
  if (given?.connection && !own)
    return `sftpConnection: ${given.connection} has no url, which says where its host is`;
  const host = own?.host ?? given?.host ?? at;
  const username = given?.username ?? stored?.username;
  if (!host) return "sftpConnection.host: This field is required";
  if (!username) return "sftpConnection.username: This field is required";
  const server = {
    host,
    port: given?.port ?? Number(port ?? stored?.properties?.["port"] ?? own?.port ?? 22),
    username,
    password: given?.password ?? stored?.password,
    privateKey: stored?.certificate,
  };
  return sftp(server, at === undefined ? path : (inside ?? "/"), recursive, context);
}

/** Of a URL, or of `host:port`. */
function hostOf(text: string): { host: string; port?: string } | null {
  const [, host = "", port] = /^(?:\w+:)?(?:\/\/|\\\\)?(?:[^@/]*@)?([^/\\:]+)(?::(\d+))?/.exec(text) ?? [];
  return host === "" ? null : { host, ...(port ? { port } : {}) };
}
