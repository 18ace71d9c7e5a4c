import { keyValue, optional, text } from "#app/contract/fields.ts";

/** What every check has, whatever its type (common check fields). The engine shows them on the check's row. */
export const commonFields = {
  name: text("Name"),
  description: optional(text("Description")),
  namespace: optional(text("Namespace", "The canary's, unless given")),
  icon: optional(text("Icon")),
  labels: optional(keyValue("Labels", "Laid over the canary's labels")),
};

/** Where to connect: a stored connection, or a URL with its own credentials. */
export const connectionHint = "connection://<namespace>/<name>";
