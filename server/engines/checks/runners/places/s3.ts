import type { S3Client } from "@aws-sdk/client-s3";
import { ownAgents } from "../agents.ts";
import { closing } from "../client.ts";
import { entryCounter, isWanted, searchOf, type File, type Found } from "./files.ts";

/** How to reach a store that speaks S3. */
export interface S3Store {
  accessKey?: string | undefined;
  secretKey?: string | undefined;
  sessionToken?: string | undefined;
  region?: string | undefined;
  endpoint?: string | undefined;
  usePathStyle: boolean;
  insecureTls: boolean;
}

/** Bytes that one answer may have. Ours to choose. */
const BYTE_LIMIT = 4 * 1024 * 1024;

/**
 * Does something with a client of the store, which ends with the run. Without keys it asks as anybody may: the rights of
 * the machine we run on are not for those who write checks.
 */
export async function withS3<T>(
  store: S3Store,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
  work: (client: S3Client, sdk: typeof import("@aws-sdk/client-s3")) => Promise<T>,
): Promise<T> {
  const sdk = await import("@aws-sdk/client-s3");
  const agents = ownAgents({ limit: BYTE_LIMIT, insecureTls: store.insecureTls });
  const { accessKey, secretKey, sessionToken, endpoint } = store;
  const client = new sdk.S3Client({
    region: store.region ?? "us-east-1",
    ...(endpoint ? { endpoint } : {}),
    // Stores other than Amazon's rarely have a name for each bucket.
    forcePathStyle: store.usePathStyle || endpoint !== undefined,
    maxAttempts: 1,
    // Many stores do not know the newer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      httpAgent: agents.http,
      httpsAgent: agents.https,
      connectionTimeout: timeoutMs,
      requestTimeout: timeoutMs,
    },
    ...(accessKey && secretKey
      ? {
          credentials: {
            accessKeyId: accessKey,
            secretAccessKey: secretKey,
            ...(sessionToken ? { sessionToken } : {}),
          },
        }
      : {
          credentials: { accessKeyId: "", secretAccessKey: "" },
          signer: { sign: async (request) => request },
        }),
  });
  const destroy = () => {
    client.destroy();
    agents.destroy();
  };
  return closing({ close: async () => undefined, destroy }, signal, () => work(client, sdk));
}

/** Files of a bucket: a key's `/` are folders. */
export function s3(
  store: S3Store,
  { bucket, path, recursive }: { bucket: string; path: string; recursive: boolean },
  context: { signal: AbortSignal; timeoutMs: number },
): Promise<Found> {
  return withS3(store, context, async (client, { ListObjectsV2Command }) => {
    const search = searchOf(path, recursive);
    const prefix = prefixOf(search.root);
    const count = entryCounter();
    const files: File[] = [];
    for (let token: string | undefined; ;) {
      const answer = await client.send(
        new ListObjectsV2Command({
          Bucket: bucket,
          Prefix: prefix,
          ...(search.deep ? {} : { Delimiter: "/" }),
          ...(token ? { ContinuationToken: token } : {}),
        }),
        { abortSignal: context.signal },
      );
      for (const { Key: key = "", Size: size = 0, LastModified: modified = new Date(0) } of answer.Contents ??
        []) {
        count();
        files.push(...objectAt(key, prefix, search.pattern, { size, modified }));
      }
      token = answer.NextContinuationToken;
      if (!token || !answer.IsTruncated) return { files };
    }
  });
}

/** What keys below a root begin with. */
export const prefixOf = (root: string): string => {
  const inside = root.replace(/^\/+|\/+$/g, "");
  return inside === "" || inside === "." ? "" : `${inside}/`;
};

/** The file that an object is; none when it only marks a folder, or is not asked for. */
export function objectAt(
  key: string,
  prefix: string,
  pattern: string | null,
  { size, modified }: Pick<File, "size" | "modified">,
): File[] {
  if (key.endsWith("/") || !isWanted(pattern, key.slice(prefix.length))) return [];
  return [{ name: key.split("/").at(-1) ?? key, path: key, size, mode: "", modified, is_dir: false }];
}
