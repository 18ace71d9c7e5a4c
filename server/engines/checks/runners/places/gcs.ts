import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { ownAgents, type Agents } from "../agents.ts";
import { closing } from "../client.ts";
import { entryCounter, searchOf, type File, type Found } from "./files.ts";
import { objectAt, prefixOf } from "./s3.ts";

export interface GcsStore {
  endpoint?: string | undefined;
  /** The JSON of a service account's key. */
  credentials?: string | undefined;
  insecureTls: boolean;
}
interface Where {
  bucket: string;
  path: string;
  recursive: boolean;
}

/** Bytes that one answer may have. Ours to choose. */
const BYTE_LIMIT = 4 * 1024 * 1024;
const SCOPE = "https://www.googleapis.com/auth/devstorage.read_only";

/** Files of a Google bucket: a name's `/` are folders. Without credentials it asks as anybody may. */
export async function gcs(
  store: GcsStore,
  { bucket, path, recursive }: Where,
  { signal }: { signal: AbortSignal },
): Promise<Found> {
  const agents = ownAgents({ limit: BYTE_LIMIT, insecureTls: store.insecureTls });
  return closing({ close: async () => undefined, destroy: agents.destroy }, signal, async () => {
    const headers = store.credentials ? await signIn(store.credentials, agents, signal) : {};
    const search = searchOf(path, recursive);
    const prefix = prefixOf(search.root);
    const count = entryCounter();
    const files: File[] = [];
    for (let pageToken: string | undefined; ;) {
      const query = new URLSearchParams({
        prefix,
        fields: "nextPageToken,items(name,size,updated)",
        ...(search.deep ? {} : { delimiter: "/" }),
        ...(pageToken ? { pageToken } : {}),
      });
      const base = (store.endpoint ?? "https://storage.googleapis.com").replace(/\/+$/, "");
      const url = new URL(`${base}/storage/v1/b/${encodeURIComponent(bucket)}/o?${query}`);
      const page = (await getJson(url, headers, agents, signal)) as Page;
      for (const { name = "", size = 0, updated = 0 } of page.items ?? []) {
        count();
        files.push(
          ...objectAt(name, prefix, search.pattern, { size: Number(size), modified: new Date(updated) }),
        );
      }
      pageToken = page.nextPageToken;
      if (!pageToken) return { files };
    }
  });
}

interface Page {
  items?: { name?: string; size?: string | number; updated?: string }[];
  nextPageToken?: string;
}

/** The headers of whoever the key is of, got by Google's own library. */
async function signIn(
  key: string,
  { http, https }: Agents,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  let credentials: object;
  try {
    credentials = JSON.parse(key) as object;
  } catch {
    throw new Error("credentials must be the JSON of a service account's key");
  }
  const { Storage } = await import("@google-cloud/storage");
  const agent = (url: URL) => (url.protocol === "http:" ? http : https);
  const { authClient } = new Storage({
    credentials,
    scopes: SCOPE,
    projectId: "none", // it would look for one otherwise, also at the machine's own metadata
    clientOptions: { transporterOptions: { agent, signal, retry: false } },
  } as ConstructorParameters<typeof Storage>[0]);
  const client = await authClient.getClient();
  // A service account signs for itself: nobody else is asked for a token.
  if ("useJWTAccessWithScope" in client) client.useJWTAccessWithScope = true;
  return (await client.getRequestHeaders()) as Record<string, string>;
}

function getJson(
  url: URL,
  headers: Record<string, string>,
  agents: Agents,
  signal: AbortSignal,
): Promise<unknown> {
  return new Promise((done, fail) => {
    const isPlain = url.protocol === "http:";
    const options = { headers, agent: isPlain ? agents.http : agents.https, signal };
    const request = (isPlain ? httpRequest : httpsRequest)(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", fail);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const status = response.statusCode ?? 0;
        try {
          if (status === 200) return done(JSON.parse(text));
        } catch {
          return fail(new Error("the answer is not JSON"));
        }
        fail(
          new Error(`${status} ${response.statusMessage ?? ""}: ${text.replace(/\s+/g, " ").slice(0, 300)}`),
        );
      });
    });
    request.on("error", fail);
    request.end();
  });
}
