import { z } from "zod";
import {
  group,
  keyValue,
  list,
  number,
  optional,
  select,
  text,
  textarea,
  type Field,
} from "#app/contract/fields.ts";
import { envVars } from "#app/contract/value-fields.ts";

/** The languages an expression may be written in, and what else they are called where people come from. */
const LANGUAGES = {
  expr: textarea("CEL expression"),
  template: textarea("Go template", "With gomplate's functions"),
  javascript: textarea("JavaScript", "The value of the last expression counts"),
  jsonPath: textarea("JSONPath", "Such as $.results.code"),
};
type Language = keyof typeof LANGUAGES;
const ALIASES: Readonly<Record<string, Language>> = { gotemplate: "template", jsonpath: "jsonPath" };
const NAMES = Object.keys(LANGUAGES) as Language[];
const ONE_OF = `one of ${NAMES.join(", ")}`;

/** `{expr: …}`, `{template: …}`, `{javascript: …}` or `{jsonPath: …}`: exactly one of them. */
function expression(label: string, hint: string) {
  const script = z.string({ error: "This field must be text" });
  const named = [...NAMES, ...Object.keys(ALIASES)].map((name) => [name, script.optional()]);
  const schema = z
    .strictObject(Object.fromEntries(named) as Record<string, z.ZodOptional<z.ZodString>>, {
      error: (issue) =>
        issue.code === "unrecognized_keys"
          ? `unknown field ${issue.keys.join(", ")}, this is ${ONE_OF}`
          : `This field must be a map with ${ONE_OF}`,
    })
    // Asked for only when nothing else is wrong: one sentence is enough.
    .superRefine((given, context) => {
      const names = Object.keys(given).filter((name) => given[name]?.trim());
      const [empty] = Object.keys(given).filter((name) => given[name] !== undefined);
      if (names.length > 1)
        context.addIssue({ code: "custom", message: `${names.join(" and ")} cannot be given together` });
      else if (empty === undefined)
        context.addIssue({ code: "custom", message: `This field must be a map with ${ONE_OF}` });
      else if (names.length === 0)
        context.addIssue({ code: "custom", path: [empty], message: "This field is required" });
    })
    .transform((given): Partial<Record<Language, string>> => {
      const [name = "expr", text = ""] = Object.entries(given).find(([, part]) => part?.trim()) ?? [];
      return { [ALIASES[name] ?? name]: text };
    });
  return { widget: "group", label, hint, fields: LANGUAGES, schema } satisfies Field;
}

/** A number of Prometheus, counted or measured at every passing result (facts: engines §3.3). */
const metrics = list(
  "Metrics",
  {
    name: {
      ...text("Name", "As Prometheus has names: letters, digits, _ and :"),
      schema: z.string({ error: "This field must be text" }).regex(/^[A-Za-z_:][A-Za-z0-9_:]{0,127}$/, {
        error: "This field must be a name of letters, digits, _ and :, which begins with no digit",
      }),
    },
    type: select("Type", ["counter", "gauge", "histogram"], "A counter adds the value up"),
    value: {
      ...textarea("Value", "CEL expression that comes to a number"),
      schema: z
        .union([z.string().trim().min(1), z.number()], { error: "This field must be a CEL expression" })
        .transform(String),
    },
    labels: optional(
      list("Labels", {
        name: {
          ...text("Name"),
          schema: z
            .string({ error: "This field must be text" })
            .regex(/^(?!__)[A-Za-z_][A-Za-z0-9_]{0,63}$/, {
              error: "This field must be a name of letters, digits and _, which does not begin with __",
            }),
        },
        value: optional(text("Value")),
        valueExpr: optional(textarea("Value as CEL expression", "Such as check.name")),
      }),
    ),
  },
  "Shown on /metrics while the check passes",
);

/** Where a value of a selector comes from: as it stands, from a label of the result, or from a CEL expression. */
const lookup = (label: string) =>
  optional(
    group(label, {
      value: optional(text("Value")),
      label: optional(text("Label")),
      expr: optional(text("CEL expression")),
    }),
  );
const selectors = (label: string) =>
  optional(
    list(label, {
      id: lookup("Id"),
      external_id: lookup("External id"),
      name: lookup("Name"),
      namespace: lookup("Namespace"),
      type: lookup("Type"),
      agent: lookup("Agent"),
      scope: lookup("Scope"),
      labels: optional(keyValue("Labels")),
    }),
  );

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
  metrics: optional(metrics),
  relationships: optional(
    group(
      "Relationships",
      { components: selectors("Components"), configs: selectors("Catalogue items") },
      "What the check is about",
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
