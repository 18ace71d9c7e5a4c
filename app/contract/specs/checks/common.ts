import { z } from "zod";
import { keyValue, number, optional, select, text, textarea, type Field } from "#app/contract/fields.ts";
import { envVars } from "#app/contract/value-fields.ts";

/** Other ways to write an expression that checks elsewhere have: refused by name, never silently ignored. */
const OTHER_LANGUAGES = new Map([
  ["template", "Go templates are"],
  ["javascript", "JavaScript is"],
  ["jsonPath", "JSONPath is"],
]);

/** `{expr: …}`: a CEL expression. */
function expression(label: string, hint: string) {
  const expr = textarea("CEL expression", hint);
  const schema = z
    .strictObject(
      { expr: expr.schema.optional() },
      {
        error: (issue) => {
          if (issue.code !== "unrecognized_keys")
            return "This field must be a map with expr, a CEL expression";
          const [name = ""] = issue.keys;
          const language = OTHER_LANGUAGES.get(name);
          return language
            ? `${name} cannot be used: ${language} not supported yet, write it as expr in CEL`
            : `unknown field ${name}`;
        },
      },
    )
    // Asked for only when nothing else is wrong: one sentence is enough.
    .refine((given) => given.expr?.trim(), {
      path: ["expr"],
      error: "This field is required",
      when: ({ issues }) => issues.length === 0,
    })
    .transform(({ expr = "" }) => ({ expr }));
  return { widget: "group", label, hint, fields: { expr }, schema } satisfies Field;
}

/** What every check has, whatever its type (common check fields). The engine shows them on the check's row. */
export const commonFields = {
  name: text("Name"),
  description: optional(text("Description")),
  namespace: optional(text("Namespace", "The canary's, unless given")),
  icon: optional(text("Icon")),
  labels: optional(keyValue("Labels", "Laid over the canary's labels")),
  test: optional(expression("Test", "True passes, false fails; a failure found before stays one")),
  display: optional(expression("Display", "What the result's message is")),
  transform: optional(
    expression(
      "Transform",
      "JSON: a list whose entries become checks of their own, or changes to this result",
    ),
  ),
  transformDeleteStrategy: optional(
    select(
      "When a transformed check is gone",
      ["MarkHealthy", "MarkUnhealthy", "Ignore"],
      "It is deleted unless this is Ignore; the other two write a last status first",
    ),
  ),
};

/** Where to connect: a stored connection, or a URL with its own credentials. */
export const connectionHint = "connection://<namespace>/<name>";

/** Named values for what is sent or run. */
export const environment = envVars("Environment");

export const threshold = optional(
  number("Threshold (ms)", { hint: "Slower than this fails; 0 is no limit" }),
);
