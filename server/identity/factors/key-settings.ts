/** Adding and removing security keys (`webauthn`) and passkeys (`passkey`) in the settings. */
import { input, type UiNode } from "../nodes.ts";
import type { PartContext, PartInput, SettingsAnswer, SettingsPart } from "../parts.ts";
import { emailOf, type Identity } from "../store/identities.ts";
import type { KeyKind, WebauthnKey, WebauthnStore } from "../store/webauthn.ts";
import { texts } from "../texts.ts";
import { creationOptions, madeKey, newChallenge } from "./ceremony.ts";
import { relyingParty } from "./relying-party.ts";
import { labels } from "./texts.ts";

interface Needs {
  store: WebauthnStore;
  publicUrl: string | null;
  /** Whether the person can sign in without passkeys. */
  hasAnotherWay(identityId: string): Promise<boolean>;
}

const MAX_NAME = 100;
/** More than anybody carries; options and pages stay small. */
const MAX_KEYS = 20;
const challengeName = (kind: KeyKind) => `${kind}.creation`;
const refused = (reason: string, field?: string): SettingsAnswer => ({
  complaints: [{ ...(field && { field }), message: texts.generic(reason) }],
});

/** The two sections differ in their fields' names and in what must stay. */
const WORDS = {
  webauthn: {
    answer: "webauthn_register",
    remove: labels.webauthnRemove,
    proved: { method: "webauthn", aal: "aal2" },
  },
  passkey: {
    answer: "passkey_settings_register",
    remove: labels.passkeyRemove,
    proved: { method: "passkey", aal: "aal1" },
  },
} as const;

function buttons(kind: KeyKind, options: string): UiNode[] {
  if (kind === "passkey")
    return [
      input("passkey", { name: "passkey_create_data", type: "hidden", value: options }),
      input("passkey", { name: "passkey_settings_register", type: "hidden", value: "" }),
      input(
        "passkey",
        {
          name: "passkey_register_trigger",
          type: "button",
          value: "",
          onclickTrigger: "oryPasskeySettingsRegistration",
        },
        labels.passkeyAdd,
      ),
    ];
  return [
    input(
      "webauthn",
      { name: "webauthn_register_displayname", type: "text", value: "", maxlength: MAX_NAME },
      labels.webauthnName,
    ),
    input("webauthn", { name: "webauthn_register", type: "hidden", value: "" }),
    input(
      "webauthn",
      {
        name: "webauthn_register_trigger",
        type: "button",
        value: options,
        onclickTrigger: "oryWebAuthnRegistration",
      },
      labels.webauthnAdd,
    ),
  ];
}

export function keySettings(kind: KeyKind, { store, publicUrl, hasAnotherWay }: Needs): SettingsPart {
  const { answer, remove, proved } = WORDS[kind];

  /** The last passkey of somebody without a password stays: it is the only way in. */
  const mayRemove = async (identityId: string, own: WebauthnKey[]) =>
    kind === "webauthn" || own.length > 1 || (await hasAnotherWay(identityId));

  function creation(identity: Identity, ctx: PartContext, keys: WebauthnKey[]): UiNode[] {
    const party = relyingParty(publicUrl, ctx.request.headers);
    if (!party || keys.length >= MAX_KEYS) return [];
    const challenge = newChallenge();
    ctx.keep(challengeName(kind), challenge);
    const user = { id: identity.id, name: emailOf(identity) ?? identity.id };
    return buttons(kind, creationOptions(kind, party, user, { challenge, keys }));
  }

  async function add({ form, ctx, identity }: PartInput & { identity: Identity }): Promise<SettingsAnswer> {
    const party = relyingParty(publicUrl, ctx.request.headers);
    const challenge = ctx.kept(challengeName(kind));
    const name = (form.get("webauthn_register_displayname") ?? "").trim();
    if ([...name].length > MAX_NAME)
      return refused(`The name may have ${MAX_NAME} characters.`, "webauthn_register_displayname");
    const keys = await store.list(identity.id);
    if (keys.length >= MAX_KEYS) return refused(`No more than ${MAX_KEYS} keys: remove one first.`);
    const made =
      party && typeof challenge === "string"
        ? await madeKey(kind, party, challenge, form.get(answer) ?? "")
        : null;
    if (!made || (await ctx.take(challengeName(kind))) !== challenge)
      return refused("The answer of the security key or passkey could not be verified. Please try again.");
    const label = name || (kind === "passkey" ? (emailOf(identity) ?? "unnamed") : "unnamed");
    const isNew = await store.add({ ...made, identityId: identity.id, name: label, addedAt: ctx.now });
    return isNew ? { done: true, proved } : refused("This security key or passkey is registered already.");
  }

  return {
    group: kind,
    fields: [answer, `${kind}_remove`],
    needsFreshSession: () => true,

    async nodes(_flow, identity, ctx) {
      const keys = await store.list(identity.id);
      const own = keys.filter((key) => key.kind === kind);
      const disabled = !(await mayRemove(identity.id, own));
      const removals = own.map(({ id, name, addedAt }) =>
        input(
          kind,
          { name: `${kind}_remove`, type: "submit", value: id.toString("hex"), disabled },
          remove(name, addedAt),
        ),
      );
      return [...removals, ...creation(identity, ctx, keys)];
    },

    async submit(given) {
      const { form, identity } = given;
      const removed = form.get(`${kind}_remove`);
      if (!removed) return add(given);
      const own = (await store.list(identity.id)).filter((key) => key.kind === kind);
      if (!own.some(({ id }) => id.toString("hex") === removed))
        return refused("You tried to remove a security key or passkey which does not exist.");
      if (!(await mayRemove(identity.id, own)))
        return refused("This is your only way to sign in. Set a password first.");
      await store.remove(identity.id, kind, Buffer.from(removed, "hex"));
      return { done: true };
    },
  };
}
