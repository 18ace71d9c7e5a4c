import { z } from "zod";
import { ROLES } from "#app/contract/access.ts";
import { EMAIL_PATTERN, USER_WORDS } from "#app/contract/words/people.ts";

const LONGEST = 200;
const named = (words: string) => z.string({ error: words }).trim().min(1, words).max(LONGEST, words);

/** Specification 3 §5. */
const Person = {
  firstName: named(USER_WORDS.firstName),
  lastName: named(USER_WORDS.lastName),
  email: z
    .string({ error: USER_WORDS.email })
    .trim()
    .min(1, USER_WORDS.email)
    .regex(EMAIL_PATTERN, USER_WORDS.emailFormat),
};
const Role = z.enum(ROLES, { error: USER_WORDS.role });

export const Invitee = z.object({ ...Person, role: Role });
export type Invitee = z.output<typeof Invitee>;

const Id = z.guid("There is no such user");

/** Role and state are absent where somebody edits himself: those he cannot change. */
const Rights = {
  id: Id,
  role: Role.optional(),
  /** An unchecked box sends nothing; `hasActive` says that there was one. */
  active: z.coerce.boolean().default(false),
  hasActive: z.coerce.boolean().default(false),
  seen: z.string().optional(),
};
export const ChangedUser = z
  .object({ ...Person, ...Rights })
  .transform((user) => ({ ...user, name: `${user.firstName} ${user.lastName}` }));
/** Of a user whose name and address an identity service elsewhere keeps. */
export const ChangedRights = z.object({ ...Rights, name: z.string().default("User") });
export type ChangedUser = z.output<typeof ChangedRights> & Partial<z.output<typeof ChangedUser>>;

export const ChosenUser = z.object({ id: Id });
