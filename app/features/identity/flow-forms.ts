import type { FlowField, FlowView } from "./flow-view.ts";

/** Some of a flow's fields, posted together. */
export interface FlowPart {
  /** Its own group; `default` for the form that asks who it is. */
  group: string;
  fields: FlowField[];
}

/** Providers elsewhere: their buttons stand apart, under a rule (facts/ui-screens §2.3). */
const ELSEWHERE = new Set(["oidc", "saml"]);

/** Does the field lead to a provider elsewhere? What a page carries along would be lost on the way. */
export const leadsElsewhere = ({ group }: FlowField): boolean => ELSEWHERE.has(group);

/**
 * The forms of a flow. Each group has its own, with the hidden fields of all, so that what one way to sign in requires
 * never stands in the way of another. Where the flow asks who it is (an e-mail, a name), the ways that need that answer
 * share the form it is asked in.
 */
export function formsOf({ fields }: Pick<FlowView, "fields">): FlowPart[] {
  const common = fields.filter(({ group }) => group === "default");
  const hidden = common.filter(({ kind }) => kind === "hidden");
  const own = groupsOf(fields);
  const asks = common.some(({ kind }) => kind === "input" || kind === "checkbox");
  const parts: FlowPart[] = [];
  const shared = asks ? [...own].filter(([group, mine]) => !ELSEWHERE.has(group) && canShare(mine)) : [];
  if (asks || common.length > hidden.length)
    parts.push({
      group: "default",
      fields: [...common, ...shared.flatMap(([, mine]) => sharing(mine, shared.length))],
    });
  for (const [group, mine] of own)
    if (!shared.some(([name]) => name === group) && mine.some(isSeen))
      parts.push({ group, fields: [...hidden, ...mine] });
  return parts;
}

/** The groups besides the common one, in the order in which they appear. */
function groupsOf(fields: readonly FlowField[]): Map<string, FlowField[]> {
  const groups = new Map<string, FlowField[]>();
  for (const field of fields)
    if (field.group !== "default") groups.set(field.group, [...(groups.get(field.group) ?? []), field]);
  return groups;
}

/** A form of several ways tells them apart by the pressed button's `method`; other buttons need a form of their own. */
const canShare = (fields: FlowField[]) =>
  fields.some(isSeen) && fields.every((field) => field.kind !== "submit" || field.name === "method");

/** A hidden `method` would speak for all ways in the form. */
const sharing = (fields: FlowField[], ways: number) =>
  ways === 1 ? fields : fields.filter((field) => field.kind !== "hidden" || field.name !== "method");

const isSeen = ({ kind }: FlowField) => kind !== "hidden" && kind !== "script";

/**
 * Whose password the form asks for, where it does not ask who it is: a password manager then knows which one to fill in
 * or to keep. The browser is told by a field without a name, so it is not sent. Null where nothing needs to be said.
 */
export function accountOf(flow: Pick<FlowView, "fields">, part: FlowPart): string | null {
  const isWho = (field: FlowField) => "name" in field && WHO.has(field.name);
  const asksPassword = part.fields.some((field) => field.kind === "input" && field.type === "password");
  if (!asksPassword || part.fields.some((field) => field.kind === "input" && isWho(field))) return null;
  const known = flow.fields.find((field) => isWho(field) && "value" in field && field.value !== "");
  return known && "value" in known ? known.value : null;
}
const WHO = new Set(["identifier", "traits.email"]);

/**
 * Does the button send the form as it is, without asking for what the form requires? Buttons beside the one that
 * completes it do (resend, remove, another way).
 */
export function skipsValidation(part: FlowPart, button: { group: string; name: string }): boolean {
  if (button.name !== "method") return true;
  return part.fields.some(
    (field) =>
      field.kind === "input" && field.required && field.group !== "default" && field.group !== button.group,
  );
}
