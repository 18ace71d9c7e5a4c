/** Signing in with a password, and changing it: the parts of the group `password`. */
import { identifierNode, passwordNode, submit } from "./nodes.ts";
import { missingOf, type Complaint, type LoginPart, type SettingsPart } from "./parts.ts";
import { hashPassword } from "./passwords.ts";
import { passwordComplaints } from "./registration.ts";
import type { Judgement, SignIn } from "./sign-in.ts";
import { emailOf, type IdentityStore } from "./store/identities.ts";
import { labels, texts } from "./texts.ts";
import { waitSentence } from "./throttle.ts";

/** `identifier` and `password`; in a refresh the account is given, and whoever has no password is not asked for one. */
export function passwordLogin(signIn: SignIn, hasPassword: (id: string) => Promise<boolean>): LoginPart {
  return {
    group: "password",
    aal: "aal1",
    async nodes(flow, identity) {
      if (flow.refresh && identity && !(await hasPassword(identity.id))) return [];
      return [
        identifierNode(flow.refresh ? emailOf(identity) : null),
        passwordNode("current-password"),
        submit("password", labels.signIn),
      ];
    },
    async submit(input) {
      const complaints = missingOf(input, ["default", "password"]);
      if (complaints.length > 0) return { complaints };
      const email = (input.form.get("identifier") ?? "").trim();
      const judgement = await signIn.judge(email, input.form.get("password") ?? "", input.ctx);
      if ("refused" in judgement)
        return { complaints: [complaintOf(judgement)], failed: { email, reason: judgement.refused } };
      return { personId: judgement.person.personId, method: "password" };
    },
  };
}

/** A new password; every other session of the person ends with it. */
export function passwordSettings(identities: IdentityStore): SettingsPart {
  return {
    group: "password",
    nodes: async () => [passwordNode("new-password"), submit("password", labels.save)],
    needsFreshSession: () => true,
    async submit(input) {
      const { form, identity, ctx } = input;
      const missing = missingOf(input, ["password"]);
      const password = form.get("password") ?? "";
      const complaints = missing.length > 0 ? missing : passwordComplaints(password, emailOf(identity) ?? "");
      if (complaints.length > 0) return { complaints };
      const hash = await hashPassword(password);
      await identities.changePassword(identity.id, hash, ctx.session?.id ?? null, ctx.now);
      return { done: true };
    },
  };
}

function complaintOf(judgement: Extract<Judgement, { refused: string }>): Complaint {
  switch (judgement.refused) {
    case "credentials":
      return { message: texts.invalidCredentials };
    case "inactive":
      return { message: texts.generic("This account was disabled.") };
    case "throttled":
      return { message: texts.generic(waitSentence(judgement.seconds)) };
  }
}
