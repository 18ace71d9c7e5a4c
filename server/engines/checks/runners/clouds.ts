import type { RunContext } from "../runner.ts";
import type { GcsStore } from "./places/gcs.ts";
import type { S3Store } from "./places/s3.ts";

interface Aws {
  connection?: string | undefined;
  accessKey?: string | undefined;
  secretKey?: string | undefined;
  sessionToken?: string | undefined;
  region?: string | undefined;
  endpoint?: string | undefined;
  skipTLSVerify: boolean;
  usePathStyle?: boolean;
}

/**
 * What a spec says, or the stored connection it names (facts: engines §13.1). A stored connection's credentials go to its
 * own endpoint and nowhere else: whoever may write checks need not be somebody who may read connections.
 */
export async function awsOf(given: Aws | undefined, context: RunContext): Promise<S3Store> {
  const stored = given?.connection ? await context.connection(given.connection) : undefined;
  onlyOneEndpoint(given, stored?.url);
  const properties = stored?.properties ?? {};
  return {
    accessKey: given?.accessKey ?? stored?.username,
    secretKey: given?.secretKey ?? stored?.password,
    sessionToken: given?.sessionToken,
    region: given?.region ?? (properties["region"] || undefined),
    endpoint: stored ? stored.url || undefined : given?.endpoint,
    usePathStyle: Boolean(given?.usePathStyle) || properties["usePathStyle"] === "true",
    insecureTls: Boolean(given?.skipTLSVerify) || Boolean(stored?.insecureTls),
  };
}

interface Gcp {
  connection?: string | undefined;
  endpoint?: string | undefined;
  credentials?: string | undefined;
  skipTLSVerify: boolean;
}

/** The same for Google's. */
export async function gcpOf(given: Gcp | undefined, context: RunContext): Promise<GcsStore> {
  const stored = given?.connection ? await context.connection(given.connection) : undefined;
  onlyOneEndpoint(given, stored?.url);
  return {
    endpoint: stored ? stored.url || undefined : given?.endpoint,
    credentials: given?.credentials ?? stored?.certificate,
    insecureTls: Boolean(given?.skipTLSVerify) || Boolean(stored?.insecureTls),
  };
}

function onlyOneEndpoint(
  given: { connection?: string | undefined; endpoint?: string | undefined } | undefined,
  url = "",
) {
  if (given?.connection && given.endpoint && given.endpoint !== url)
    throw new Error(`endpoint: ${given.connection} has its own, leave this one out`);
}
