/** Invitations (facts: backend §6.2): a user without a password, and the one-time link that gives him one. */
import { z } from "zod";
import { may, ROLES } from "#app/contract/access.ts";
import type { Accounts, Invited } from "#server/identity/index.ts";
import { isEmail, normaliseEmail } from "#server/identity/registration.ts";
import { EMAIL_TAKEN } from "./acting.ts";
import { readBody } from "./body.ts";
import { ApiError } from "./errors.ts";
import type { ApiContext, Route } from "./router.ts";

const LONGEST = 200;
const named = (name: string) =>
  z
    .string({ error: `${name} is required.` })
    .trim()
    .min(1, `${name} is required.`)
    .max(LONGEST, `${name} must not be longer than ${LONGEST} characters.`);
const ADDRESS = "email must be an address like ada@example.com.";

const Invitee = z.object({
  firstName: named("firstName"),
  lastName: named("lastName"),
  email: z.string({ error: "email is required." }).transform(normaliseEmail).refine(isEmail, ADDRESS),
  /** Beyond the contract, where somebody invited is a viewer at first. */
  role: z.enum(ROLES, { error: `role must be one of ${ROLES.join(", ")}.` }).optional(),
});

type Needs = Pick<Accounts, "invite" | "resendInvitation" | "revokeInvitation">;

export function inviteRoutes(accounts: Needs): Route[] {
  return [
    {
      method: "POST",
      path: "/auth/invite_user",
      who: "write:identities",
      handler: async (c) => {
        const { firstName, lastName, email, role } = await readBody(c, Invitee);
        const { personId, roles } = c.get("principal");
        if (role !== undefined && !may(roles, "write:rbac"))
          throw new ApiError(403, "role: you may not give roles.");
        const invited = await accounts.invite({
          email,
          first: firstName,
          last: lastName,
          role: role === "viewer" ? null : (role ?? null), // nobody needs a role to be one
          invitedBy: personId,
        });
        if (!("refused" in invited)) return shown(c, invited);
        throw invited.refused === "exists" ? new ApiError(409, EMAIL_TAKEN) : new ApiError(400, ADDRESS);
      },
    },
    {
      method: "POST",
      path: "/ph/invitations/:id/resend",
      who: "write:identities",
      handler: async (c) => {
        const invited = await accounts.resendInvitation(idOf(c), c.get("principal").personId);
        if (!invited) throw new ApiError(404, NOT_WAITING);
        return shown(c, invited);
      },
    },
    {
      method: "DELETE",
      path: "/ph/invitations/:id",
      who: "write:identities",
      handler: async (c) => {
        if (!(await accounts.revokeInvitation(idOf(c), c.get("principal").personId)))
          throw new ApiError(404, NOT_WAITING);
        return c.json({ message: "success" });
      },
    },
  ];
}

const NOT_WAITING = "Nobody of that id waits for an invitation: it was taken, or taken back.";

/** The link is for whoever invites, this once; with a mail server it is on its way by itself. */
const shown = (c: ApiContext, { id, link, mailed }: Invited) =>
  c.json({ id, link, mailed }, 200, { "Cache-Control": "no-store" });

function idOf(c: ApiContext): string {
  const id = z.guid().safeParse(c.req.param("id"));
  if (!id.success) throw new ApiError(404, NOT_WAITING);
  return id.data;
}
