/** Codes of an authenticator app as a second factor, and pairing and unlinking the app: the group `totp`. */
import type { Limits } from "../limits.ts";
import { image, input, submit, text } from "../nodes.ts";
import { missingOf, type LoginPart, type PartContext, type SettingsPart } from "../parts.ts";
import { problems } from "../problem.ts";
import { emailOf, type Identity } from "../store/identities.ts";
import type { TotpStore } from "../store/totp.ts";
import { texts as general } from "../texts.ts";
import { failure, judgeGuess } from "./guesses.ts";
import { labels, texts } from "./texts.ts";
import { describeTotp, newTotpSecret, readTotpCode, stepOf } from "./totp.ts";
import type { Vault } from "./vault.ts";

interface Needs {
  store: TotpStore;
  vault: Vault;
  limits: Limits;
}

/** Under this name a flow keeps the sealed secret that is not confirmed yet. */
const PENDING = "totp";

/** An old form, or another tab: the app that is paired stays. */
const paired = {
  complaints: [
    {
      message: general.generic("An authenticator app is paired already. Unlink it before you pair another."),
    },
  ],
};

const codeInput = (label: (typeof labels)["verifyCode"]) =>
  input(
    "totp",
    { name: "totp_code", type: "text", value: "", required: true, autocomplete: "one-time-code" },
    label,
  );

export function totpLogin({ store, vault, limits }: Needs): LoginPart {
  /** Whether this is a code of now that was never taken before; taking it spends it. */
  async function isRight(personId: string, sealed: Buffer, typed: string, now: Date): Promise<boolean> {
    const code = readTotpCode(typed);
    const secret = vault.open(personId, sealed);
    if (code === null || secret === null) return false;
    const step = await stepOf(secret, code, now);
    return step !== null && store.spend(personId, step);
  }

  return {
    group: "totp",
    aal: "aal2",
    fields: ["totp_code"],
    async nodes(_flow, identity) {
      if (!identity || !(await store.find(identity.id))) return [];
      return [codeInput(labels.loginTotpCode), submit("totp", labels.loginTotp)];
    },
    async submit(given) {
      const { form, ctx } = given;
      if (!ctx.session) throw problems.sessionInactive();
      const { personId } = ctx.session;
      const complaints = missingOf(given, ["totp"]);
      if (complaints.length > 0) return { complaints };
      const sealed = await store.find(personId);
      if (!sealed) return failure({ message: texts.noTotp }, "not set up");
      const typed = form.get("totp_code") ?? "";
      const refused = await judgeGuess(limits, ctx.session, ctx, async () =>
        (await isRight(personId, sealed, typed, ctx.now))
          ? { right: true }
          : { right: false, complaint: { message: texts.totpWrong } },
      );
      return refused ?? { personId, method: "totp" };
    },
  };
}

export function totpSettings({ store, vault }: Omit<Needs, "limits">): SettingsPart {
  /** The secret this flow offers: the same for as long as the flow goes on, since it may be in the app already. */
  function offered(identity: Identity, ctx: PartContext): Buffer | null {
    const kept = ctx.kept(PENDING);
    return typeof kept === "string" ? vault.open(identity.id, Buffer.from(kept, "base64")) : null;
  }

  function offer(identity: Identity, ctx: PartContext): Buffer {
    const secret = newTotpSecret();
    ctx.keep(PENDING, vault.seal(identity.id, secret).toString("base64"));
    return secret;
  }

  return {
    group: "totp",
    fields: ["totp_unlink", "totp_code"],
    needsFreshSession: () => true,

    async nodes(_flow, identity, ctx) {
      if (await store.find(identity.id))
        return [submit("totp", labels.totpUnlink, { name: "totp_unlink", value: "true" })];
      const secret = offered(identity, ctx) ?? offer(identity, ctx);
      const { typed, picture } = await describeTotp(secret, emailOf(identity) ?? identity.id);
      return [
        image("totp", { id: "totp_qr", ...picture }, labels.totpQr),
        text("totp", "totp_secret_key", texts.totpSecret(typed), labels.totpSecret),
        codeInput(labels.verifyCode),
        submit("totp", labels.save),
      ];
    },

    async submit(given) {
      const { form, identity, ctx } = given;
      if (form.get("totp_unlink") === "true") {
        await store.remove(identity.id);
        return { done: true };
      }
      if (await store.find(identity.id)) return paired;
      const complaints = missingOf(given, ["totp"]);
      if (complaints.length > 0) return { complaints };
      const secret = offered(identity, ctx);
      const code = readTotpCode(form.get("totp_code") ?? "");
      const step = secret && code && (await stepOf(secret, code, ctx.now));
      const wrong = { complaints: [{ field: "totp_code", message: texts.totpWrong }] };
      if (!secret || step === null || typeof step !== "number") return wrong;
      if ((await ctx.take(PENDING)) === undefined) return wrong; // another request was first
      if (!(await store.add(identity.id, vault.seal(identity.id, secret), step, ctx.now))) return paired;
      return { done: true, proved: { method: "totp", aal: "aal2" } };
    },
  };
}
