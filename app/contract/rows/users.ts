import { z } from "zod";
import { json, view, type RowOf } from "../view.ts";

const moment = z.coerce.date().nullish();

/** One user of the list (specification 3 §2.6), as our control plane has it in one relation. */
export const userRow = view(
  "identities_summary",
  z.object({
    id: z.string(),
    name: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    avatar: z.string().nullish(),
    roles: z.array(z.string()),
    role: z.string(),
    state: z.string(),
    created_at: moment,
    /** Text: a Date would lose its microseconds. */
    updated_at: z.string().nullish(),
    last_login: moment,
    invited_at: moment,
    invitation_expires_at: moment,
    mailed: z.boolean().nullish(),
  }),
);
export type UserRow = RowOf<typeof userRow>;

const Traits = z.object({
  email: z.string().nullish(),
  name: z.object({ first: z.string().nullish(), last: z.string().nullish() }).nullish(),
});

/** The contract's own relations of the same (facts/ui-contract §2). */
export const identityRow = view(
  "identities",
  z.object({
    id: z.string(),
    traits: json(Traits.nullish().catch(null)),
    state: z.string().nullish(),
    created_at: z.string().nullish(),
    updated_at: z.string().nullish(),
  }),
);
export type IdentityRow = RowOf<typeof identityRow>;
export const rolesRow = view(
  "people_roles",
  z.object({ id: z.string(), name: z.string(), roles: z.array(z.string()).nullish() }),
);
export type RolesRow = RowOf<typeof rolesRow>;

/** What an invitation answers: the link, once; `mailed` says that it is on its way by itself. */
export const InvitationAnswer = z.object({
  id: z.string().optional(),
  link: z.string(),
  mailed: z.boolean().optional(),
});
