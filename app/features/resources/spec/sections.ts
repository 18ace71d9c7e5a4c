import type { FieldDescription } from "#app/contract/fields.ts";

/** A part of the form: its heading, its fields; a folded one is opened by whoever needs it. */
export interface SectionPlan {
  title: string;
  lead?: string;
  fields: FieldDescription[];
  isFolded: boolean;
}

/** Where fields go that many types share, by their names; what is in none of them is what the type is about. */
const FIRST = ["name", "icon", "description"];
const SIGN_IN = new Set([
  "username",
  "password",
  "authentication",
  "auth",
  "bearer",
  "oauth",
  "ntlm",
  "ntlmv2",
  "bindDN",
]);
const EXPECTED = new Set([
  ...[
    "responseCodes",
    "thresholdMillis",
    "responseContent",
    "responseJSONContent",
    "maxSSLExpiry",
    "results",
    "result",
  ],
  ...[
    "packetCount",
    "packetLossThreshold",
    "minrecords",
    "exactreply",
    "minAge",
    "maxAge",
    "minCount",
    "maxCount",
  ],
  ...["minSize", "maxSize", "availableSize", "totalSize", "test"],
]);
const ADVANCED = new Set([
  ...[
    "display",
    "transform",
    "transformDeleteStrategy",
    "labels",
    "namespace",
    "env",
    "metrics",
    "templateBody",
    "tlsConfig",
  ],
  ...["severity", "owner", "relationships", "artifacts", "checkout", "timeout", "endpoint*"],
]);

/** The sections of a type's form, in the order somebody fills it in (specification 3 §3.10). */
export function sectionsOf(
  settings: readonly FieldDescription[],
  fields: readonly FieldDescription[],
): {
  settings: FieldDescription[];
  first: FieldDescription[];
  rest: SectionPlan[];
  more: FieldDescription[];
} {
  const hasUrl = fields.some(({ name }) => name === "url");
  const keyOf = ({ name }: FieldDescription) => (name === "endpoint" && hasUrl ? "endpoint*" : name);
  const isConnection = ({ name }: FieldDescription) => /Connection$/.test(name);
  const pick = (wanted: (field: FieldDescription) => boolean) => fields.filter(wanted);
  const isSignIn = (field: FieldDescription) => SIGN_IN.has(field.name) || isConnection(field);
  const isOwn = (field: FieldDescription) =>
    !FIRST.includes(field.name) &&
    !isSignIn(field) &&
    !EXPECTED.has(field.name) &&
    !ADVANCED.has(keyOf(field));
  const rest: SectionPlan[] = [
    { title: "Request", lead: "What is asked, and where.", fields: pick(isOwn), isFolded: false },
    { title: "Authentication", lead: "As whom it is asked.", fields: pick(isSignIn), isFolded: false },
    {
      title: "Test",
      lead: "What must hold for the check to pass.",
      fields: pick(({ name }) => EXPECTED.has(name)),
      isFolded: false,
    },
    { title: "Advanced", fields: pick((field) => ADVANCED.has(keyOf(field))), isFolded: true },
  ];
  return {
    settings: settings.filter(({ name }) => !ADVANCED.has(name)),
    first: FIRST.flatMap((name) => pick((field) => field.name === name)),
    rest: rest.filter((section) => section.fields.length > 0),
    more: settings.filter(({ name }) => ADVANCED.has(name)),
  };
}
