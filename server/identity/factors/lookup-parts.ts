/** Backup recovery codes as a second factor, and making, listing and dropping them: the group `lookup_secret`. */
import type { Limits } from "../limits.ts";
import { input, submit, text, type UiNode } from "../nodes.ts";
import { missingOf, type LoginPart, type PartContext, type SettingsPart } from "../parts.ts";
import { problems } from "../problem.ts";
import type { Identity } from "../store/identities.ts";
import type { CodeUse, LookupStore } from "../store/lookup.ts";
import { texts as general } from "../texts.ts";
import { failure, judgeGuess } from "./guesses.ts";
import { newCodes, plainCode } from "./lookup.ts";
import { labels, texts } from "./texts.ts";
import type { Vault } from "./vault.ts";

interface Needs {
  store: LookupStore;
  vault: Vault;
  limits: Limits;
}

const GROUP = "lookup_secret";
/** Under this name a flow keeps the sealed codes that are shown and not confirmed yet. */
const PENDING = "lookup_secret";

export function lookupLogin({ store, vault, limits }: Needs): LoginPart {
  return {
    group: GROUP,
    aal: "aal2",
    fields: ["lookup_secret"],
    async nodes(_flow, identity) {
      if (!identity || !(await store.list(identity.id)).some(isLeft)) return [];
      return [
        input(
          GROUP,
          { name: "lookup_secret", type: "text", value: "", required: true },
          labels.loginLookupCode,
        ),
        submit(GROUP, labels.loginLookup),
      ];
    },
    async submit(given) {
      const { form, ctx } = given;
      if (!ctx.session) throw problems.sessionInactive();
      const { personId } = ctx.session;
      const complaints = missingOf(given, [GROUP]);
      if (complaints.length > 0) return { complaints };
      if ((await store.list(personId)).length === 0)
        return failure({ message: texts.noLookup }, "not set up");
      const hash = vault.hash(personId, plainCode(form.get("lookup_secret") ?? ""));
      const refused = await judgeGuess(limits, ctx.session, ctx, async () => {
        const spent = await store.spend(personId, hash, ctx.now);
        if (spent === "spent") return { right: true };
        const message = spent === "unknown" ? texts.lookupWrong : texts.lookupSpent;
        return { right: false, complaint: { message } };
      });
      return refused ?? { personId, method: "lookup_secret" };
    },
  };
}

const isLeft = ({ usedAt }: CodeUse) => usedAt === null;

const button = (name: string, label: (typeof labels)["lookupReveal"]) =>
  submit(GROUP, label, { name: `lookup_secret_${name}`, value: "true" });

export function lookupSettings({ store, vault }: Omit<Needs, "limits">): SettingsPart {
  /** New codes are shown once, here; they count when they are confirmed. */
  function generate(identity: Identity, ctx: PartContext): UiNode[] {
    const codes = newCodes();
    const sealed = vault.seal(identity.id, Buffer.from(JSON.stringify(codes)));
    ctx.keep(PENDING, sealed.toString("base64"));
    return [
      text(GROUP, "lookup_secret_codes", texts.lookupCodes(codes.map(texts.lookupCode)), labels.lookupList),
      button("confirm", labels.lookupConfirm),
    ];
  }

  async function confirm(identity: Identity, ctx: PartContext): Promise<boolean> {
    const kept = await ctx.take(PENDING);
    const opened = typeof kept === "string" && vault.open(identity.id, Buffer.from(kept, "base64"));
    if (!opened) return false;
    const codes = JSON.parse(opened.toString()) as string[];
    await store.replace(
      identity.id,
      codes.map((code) => vault.hash(identity.id, plainCode(code))),
    );
    return true;
  }

  const reveal = (codes: CodeUse[]): UiNode[] => {
    const uses = codes.map(({ position, usedAt }) =>
      usedAt ? texts.lookupUsed(usedAt) : texts.lookupUnused(position),
    );
    return [
      text(GROUP, "lookup_secret_codes", texts.lookupCodes(uses), labels.lookupList),
      button("disable", labels.lookupDisable),
      button("regenerate", labels.lookupRegenerate),
    ];
  };

  const refused = (reason: string) => ({ complaints: [{ message: general.generic(reason) }] });

  return {
    group: GROUP,
    fields: ["reveal", "regenerate", "confirm", "disable"].map((name) => `lookup_secret_${name}`),
    needsFreshSession: () => true,

    nodes: async (_flow, identity) =>
      (await store.list(identity.id)).length > 0
        ? [button("reveal", labels.lookupReveal), button("disable", labels.lookupDisable)]
        : [button("regenerate", labels.lookupRegenerate)],

    async submit({ form, identity, ctx }) {
      const asked = (name: string) => form.get(`lookup_secret_${name}`) === "true";
      if (asked("confirm"))
        return (await confirm(identity, ctx))
          ? { done: true, proved: { method: "lookup_secret", aal: "aal2" } }
          : refused("You must (re-)generate recovery backup codes before you can save them.");
      if (asked("reveal")) {
        const codes = await store.list(identity.id);
        if (codes.length === 0) return refused("Can not reveal lookup codes because you have none.");
        return { again: reveal(codes) };
      }
      if (asked("disable")) {
        await store.remove(identity.id);
        return { done: true };
      }
      if (asked("regenerate")) return { again: generate(identity, ctx) };
      return refused("Choose what to do with the backup recovery codes.");
    },
  };
}
