import { flag, number, optional, secret, text } from "#app/contract/fields.ts";
import { connectionHint } from "./common.ts";

/** Where a cloud's or a server's credentials come from: a stored connection, or the values themselves. */
const stored = { connection: optional(text("Connection", connectionHint)) };

/** Amazon's, and whoever speaks S3. */
export const awsFields = {
  ...stored,
  accessKey: optional(secret("Access key")),
  secretKey: optional(secret("Secret key")),
  sessionToken: optional(secret("Session token")),
  region: optional(text("Region", "us-east-1 unless given")),
  endpoint: optional(text("Endpoint", "Amazon's unless given, such as https://minio.example.org")),
  skipTLSVerify: flag("Accept any certificate"),
};

/** A bucket of S3. */
export const s3Fields = {
  ...awsFields,
  bucket: optional(text("Bucket", "Unless the path says it")),
  objectPath: optional(text("Objects", "A folder or a pattern, unless the path says it")),
  usePathStyle: flag("Bucket in the path", "Not in the host's name; always so with an endpoint"),
};

/** Google's. */
export const gcpFields = {
  ...stored,
  endpoint: optional(text("Endpoint", "Google's unless given")),
  credentials: optional(secret("Credentials", "The JSON of a service account's key")),
  skipTLSVerify: flag("Accept any certificate"),
};

/** Microsoft's. */
export const azureFields = {
  ...stored,
  clientID: optional(secret("Client ID")),
  clientSecret: optional(secret("Client secret")),
  tenantID: optional(text("Tenant ID")),
};

const login = { username: optional(secret("Username")), password: optional(secret("Password")) };

/** A server that speaks SFTP. */
export const sftpFields = {
  ...stored,
  host: optional(text("Host", "Unless the connection says it")),
  port: optional(number("Port", { min: 1, max: 65_535, hint: "22 unless given" })),
  ...login,
};

/** A server of Windows shares. */
export const smbFields = {
  ...stored,
  ...login,
  domain: optional(text("Domain")),
  port: optional(number("Port", { min: 1, max: 65_535, hint: "445 unless given" })),
};
