/** A new account here for an account elsewhere, which stands for the password. */
import type { SocialAccount } from "../social/provider.ts";
import { socialTexts } from "../social/texts.ts";
import { isUniqueViolation, type Elsewhere } from "../store/social-links.ts";
import { texts, type UiText } from "../texts.ts";
import { waitSentence } from "../throttle.ts";
import type { Way } from "./registration-way.ts";
import type { Service } from "./service.ts";

type Registered = { id: string } | { refused: UiText };

export function createSocialRegistration({ store, changes, limits, note, now }: Service) {
  /** Spends the link, if it is by one, together with making or completing the account. */
  async function register(way: Way, account: SocialAccount, link: Elsewhere): Promise<Registered> {
    const { email, first, last } = account;
    if ("invitation" in way) {
      const names = {
        first: way.invitation.first || (first ?? ""),
        last: way.invitation.last || (last ?? ""),
      };
      const id = await changes.accept(way.hash, { way: { account: link, email }, ...names }, now());
      return id ? { id } : { refused: socialTexts.noAccount(account.provider) };
    }
    if (email === null) return { refused: socialTexts.noEmail(account.provider) };
    const name = { ...(first && { first }), ...(last && { last }) };
    const traits = { email, ...(first || last ? { name } : {}) };
    const role = "setup" in way ? "admin" : null;
    const created = await store.identities.create(
      { traits, passwordHash: null, role, account: link },
      way,
      now(),
    );
    if ("id" in created) return created;
    const isTaken = created.refused === "exists";
    return { refused: isTaken ? socialTexts.signInFirst : socialTexts.noAccount(account.provider) };
  }

  return async (
    way: Way,
    account: SocialAccount,
    link: Elsewhere,
    client: string | null,
  ): Promise<Registered> => {
    const taken = await limits.take("registration", { account: `${link.issuer} ${link.subject}`, client });
    if (!taken.ok) return { refused: texts.generic(waitSentence(taken.seconds)) };
    // Linked in the same moment by somebody else: they were first.
    const registered = await register(way, account, link).catch((error: unknown): Registered => {
      if (isUniqueViolation(error)) return { refused: socialTexts.somebodys(account.provider) };
      throw error;
    });
    if ("id" in registered)
      await note({ action: "registration", personId: registered.id, email: account.email, client });
    return registered;
  };
}
