/** E-mail and name: the section `profile` of the settings. */
import { submit, traitNodes } from "./nodes.ts";
import { missingOf, type PartInput, type SettingsPart } from "./parts.ts";
import { readTraits, traitComplaints } from "./registration.ts";
import type { AccountChanges } from "./store/account-changes.ts";
import { emailOf, type Identity } from "./store/identities.ts";
import { labels, texts } from "./texts.ts";
import type { Verification } from "./verification.ts";

/** The address is the sign-in: changing it wants a fresh session, and it has to be verified again. */
export function profileSettings(changes: AccountChanges, verification: Verification): SettingsPart {
  return {
    group: "profile",
    nodes: async (_flow, identity) => [
      ...traitNodes("profile", valuesOf(identity)),
      submit("profile", labels.save),
    ],
    needsFreshSession: isAnotherAddress,
    async submit(input) {
      const missing = missingOf(input, ["profile"]);
      const traits = readTraits(input.form);
      const complaints = missing.length > 0 ? missing : traitComplaints(traits);
      if (complaints.length > 0) return { complaints };
      const change = { first: "", last: "", ...traits.name };
      const another = isAnotherAddress(input) ? { email: traits.email } : {};
      const changed = await changes.changeTraits(input.identity.id, { ...change, ...another }, input.ctx.now);
      if ("refused" in changed)
        return { complaints: [{ field: "traits.email", message: texts.accountExists }] };
      const continueWith = "email" in another ? await verification.begin(input.flow, traits.email) : [];
      return { done: true, continueWith };
    },
  };
}

const isAnotherAddress = ({ form, identity }: PartInput & { identity: Identity }) =>
  readTraits(form).email !== (emailOf(identity) ?? "").toLowerCase();

function valuesOf(identity: Identity) {
  const { name } = identity.traits as { name?: { first?: string; last?: string } };
  return { email: emailOf(identity) ?? "", first: name?.first ?? "", last: name?.last ?? "" };
}
