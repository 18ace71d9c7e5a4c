import { z } from "zod";
import { embed, json, view, type RowOf } from "../view.ts";

const Person = z.object({ id: z.string(), name: z.string() });

/** A team with all that its page shows and edits. `updated_at` is text: a Date would lose its microseconds. */
export const teamRow = view(
  "teams",
  z.object({
    id: z.string(),
    name: z.string(),
    icon: z.string().nullish(),
    spec: json(z.record(z.string(), z.unknown()).nullish().catch(null)),
    source: z.string().nullish(),
    created_by: embed("created_by", Person).nullish(),
    created_at: z.coerce.date().nullish(),
    updated_at: z.string().nullish(),
    deleted_at: z.coerce.date().nullish(),
  }),
);
export type TeamRow = RowOf<typeof teamRow>;

const Member = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullish(),
  avatar: z.string().nullish(),
  deleted_at: z.coerce.date().nullish(),
});

/** Who is in a team (specification 3 §7.2). */
export const teamMemberRow = view(
  "team_members",
  z.object({ person_id: z.string(), person: embed("person_id", Member).nullish() }),
);

/** A membership as it is written. */
export const membershipRow = view("team_members", z.object({ team_id: z.string(), person_id: z.string() }));

/** Users with their place in one team, which the query names. */
export const candidateRow = view(
  "people_roles",
  z.object({
    id: z.string(),
    name: z.string(),
    email: z.string().nullish(),
    team_members: z.array(z.object({ team_id: z.string() })).nullish(),
  }),
);

/** What users are called. */
export const userNameRow = view("people_roles", z.object({ id: z.string(), name: z.string() }));
