import { group, list, optional, schemaOf, secret, text, textarea } from "#app/contract/fields.ts";
import { awsFields, azureFields, gcpFields } from "./clouds.ts";
import { commonFields, connectionHint, environment } from "./common.ts";

/** Files that a run should keep. */
export const artifacts = list(
  "Artifacts",
  { path: text("Path") },
  "Accepted, and not kept: this version has no store for files",
);

/** Sources that a script works on. */
const checkout = group(
  "Checkout",
  {
    url: optional(
      text("Repository", "https://host/name.git, git@host:name.git; ?ref=name for a branch or tag"),
    ),
    connection: optional(text("Connection", connectionHint)),
    username: optional(secret("Username")),
    password: optional(secret("Password", "Or a token")),
    certificate: optional(secret("SSH key", "The private key")),
    destination: optional(text("Folder", "Where to; a new one unless given. It must not be there yet")),
  },
  "Fetched by git before each run; the script begins in its folder, and afterwards it is gone",
);

/** A script that must end with 0. It runs with the rights of the control plane. */
export const execFields = {
  ...commonFields,
  script: textarea("Script", "Run by bash, where there is none by sh"),
  env: optional(environment),
  connections: optional(
    group(
      "Connections",
      {
        aws: optional(group("AWS", awsFields, "AWS_ACCESS_KEY_ID and so on")),
        gcp: optional(group("Google Cloud", gcpFields, "GOOGLE_APPLICATION_CREDENTIALS")),
        azure: optional(group("Azure", azureFields, "AZURE_CLIENT_ID and so on")),
      },
      "What the script finds as environment variables",
    ),
  ),
  checkout: optional(checkout),
  artifacts: optional(artifacts),
};
export const ExecSpec = schemaOf(execFields).superRefine((spec, context) => {
  const refuse = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
  if (spec.script.trim() === "") refuse(["script"], "This field is required");
  const { url, connection, destination } = spec.checkout ?? {};
  if (url && connection) refuse(["checkout", "url"], "url and connection cannot both be given");
  if (spec.checkout && !url && !connection) refuse(["checkout", "url"], "This field is required");
  if (destination && !destination.startsWith("/"))
    refuse(["checkout", "destination"], "This field must be a whole path, such as /tmp/sources");
});
