/** What the pages of permissions read and write of upstream (facts/ui-contract §12). */
import { z } from "zod";
import { embed, view, type RowOf } from "../view.ts";
import { RESOURCE_KINDS } from "../words/permissions.ts";

const Named = z.object({ id: z.string(), name: z.string() });
const WithIcon = Named.extend({ icon: z.string().nullish() });
const Avatar = z.object({ id: z.string(), name: z.string(), avatar: z.string().nullish() });
const moment = z.coerce.date().nullish();
const id = z.string().nullish();

const permissionShape = {
  id: z.string(),
  description: z.string().nullish(),
  source: z.string().nullish(),
  action: z.string(),
  deny: z.boolean().nullish(),
  config_id: id,
  component_id: id,
  canary_id: id,
  check_id: id,
  playbook_id: id,
  connection_id: id,
  person_id: id,
  team_id: id,
  until: moment,
  created_at: moment,
  /** Text, to the microsecond: the version of the row. */
  updated_at: z.string(),
  catalog: embed("config_id", Named.extend({ type: z.string().nullish() })).nullish(),
  component: embed("component_id", WithIcon).nullish(),
  canary: embed("canary_id", Named).nullish(),
  check: embed("checks!permissions_check_id_fkey", Named).nullish(),
  playbook: embed("playbook_id", WithIcon.extend({ title: z.string().nullish() })).nullish(),
  team: embed("team_id", WithIcon).nullish(),
  person: embed("person_id", Avatar).nullish(),
  createdBy: embed("created_by", Avatar).nullish(),
};
/** `connections_list` has only names, so who may not read connections sees which one is meant. */
export const permissionRow = view(
  "permissions",
  z.object({
    ...permissionShape,
    connection: embed("connections_list!permissions_connection_id_fkey", Named).nullish(),
  }),
);
export type PermissionRow = RowOf<typeof permissionRow>;

/** For the pickers: at most so many of each. */
export const teamNameRow = view("teams", Named);
export const personNameRow = view("people", Named);
export const configNameRow = view("config_items", Named.extend({ type: z.string().nullish() }));
export const componentNameRow = view("components", Named);
export const canaryNameRow = view("canary_names", Named);
export const checkNameRow = view("check_names", Named);
export const connectionNameRow = view("connections_list", Named);
export const playbookNameRow = view("playbooks", Named.extend({ title: z.string().nullish() }));

/** A control plane that says what may be done with one resource: `GET /auth/rights` (DESIGN, decision 14). */
export const PERMISSION_RIGHTS = "permissions.rights";
/** `GET /auth/rights` */
export const OwnRightsAnswer = z.object({ rights: z.record(z.string(), z.boolean()) });

/** A record as a reason for what somebody may or may not do. */
const ReasonShape = z.object({
  id: z.string(),
  action: z.string(),
  deny: z.boolean(),
  until: moment,
  /** Null: the record is about the person. */
  team: z.string().nullable(),
  about: z.enum(RESOURCE_KINDS),
  expired: z.boolean(),
  teamIsGone: z.boolean(),
});
export type Reason = z.output<typeof ReasonShape>;

/** `GET /ph/permissions/why` */
export const WhyAnswer = z.object({
  resource: z.object({ id: z.string(), kind: z.enum(RESOURCE_KINDS), name: z.string() }),
  verdict: z.enum(["yes", "no", "hidden"]),
  role: z.string(),
  byRole: z.boolean(),
  records: z.array(ReasonShape),
});
export type Why = z.output<typeof WhyAnswer>;
