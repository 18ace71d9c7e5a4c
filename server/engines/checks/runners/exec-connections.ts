import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import type { ExecSpec } from "#app/contract/specs/checks/exec.ts";
import type { RunContext } from "../runner.ts";
import { awsOf, gcpOf } from "./clouds.ts";

type Connections = NonNullable<z.output<typeof ExecSpec>["connections"]>;

/** Credentials of clouds as their own tools read them from the environment; a key that must be a file lies in the folder. */
export async function variablesOf(
  { aws, gcp, azure }: Connections,
  folder: string,
  context: RunContext,
): Promise<Record<string, string>> {
  const found: Record<string, string | undefined> = {};
  if (aws) {
    const { accessKey, secretKey, sessionToken, region, endpoint } = await awsOf(aws, context);
    found["AWS_ACCESS_KEY_ID"] = accessKey;
    found["AWS_SECRET_ACCESS_KEY"] = secretKey;
    found["AWS_SESSION_TOKEN"] = sessionToken;
    found["AWS_REGION"] = found["AWS_DEFAULT_REGION"] = region;
    found["AWS_ENDPOINT_URL"] = endpoint;
  }
  if (gcp) {
    const { credentials } = await gcpOf(gcp, context);
    if (!credentials) throw new Error("connections.gcp: it has no credentials");
    const file = join(folder, "google-credentials.json");
    await writeFile(file, credentials, { mode: 0o600 });
    found["GOOGLE_APPLICATION_CREDENTIALS"] = found["CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE"] = file;
  }
  if (azure) {
    const stored = azure.connection ? await context.connection(azure.connection) : undefined;
    found["AZURE_CLIENT_ID"] = azure.clientID ?? stored?.username;
    found["AZURE_CLIENT_SECRET"] = azure.clientSecret ?? stored?.password;
    found["AZURE_TENANT_ID"] =
      azure.tenantID ?? stored?.properties?.["tenant"] ?? stored?.properties?.["tenantID"];
  }
  return Object.fromEntries(Object.entries(found).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
