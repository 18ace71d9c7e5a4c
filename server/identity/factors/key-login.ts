/** Security keys as a second factor (`webauthn`), and passkeys, which stand for the password (`passkey`). */
import type { Limits } from "../limits.ts";
import { input } from "../nodes.ts";
import type { LoginPart, PartContext } from "../parts.ts";
import { problems } from "../problem.ts";
import type { KeyKind, WebauthnKey, WebauthnStore } from "../store/webauthn.ts";
import { texts as general } from "../texts.ts";
import { handleOf, newChallenge, readUsed, requestOptions, usedCounter, type UsedKey } from "./ceremony.ts";
import { failure, judgeGuess } from "./guesses.ts";
import { relyingParty } from "./relying-party.ts";
import { labels, texts } from "./texts.ts";

interface Needs {
  store: WebauthnStore;
  limits: Limits;
  publicUrl: string | null;
}

/** Under this name a flow keeps its challenge; whoever spends it is in, nobody twice. */
const challengeName = (kind: KeyKind) => `${kind}.challenge`;
const wrong = { message: general.generic("The security key or passkey could not be verified.") };

/** The options for the browser, with a challenge of this flow's own; null where no key of theirs is any use. */
function options(kind: KeyKind, { publicUrl }: Needs, ctx: PartContext, keys: WebauthnKey[]): string | null {
  const party = relyingParty(publicUrl, ctx.request.headers);
  if (!party) return null;
  const challenge = newChallenge();
  ctx.keep(challengeName(kind), challenge);
  return requestOptions(kind, party, { challenge, keys: keys.filter(({ rpId }) => rpId === party.id) });
}

/** Whether the answer is this key's to this flow's challenge, which it spends. */
async function isProof(kind: KeyKind, needs: Needs, ctx: PartContext, key: WebauthnKey, answer: UsedKey) {
  const party = relyingParty(needs.publicUrl, ctx.request.headers);
  const challenge = ctx.kept(challengeName(kind));
  if (!party || typeof challenge !== "string" || key.kind !== kind) return false;
  const counter = await usedCounter(key, party, challenge, answer);
  if (counter === null || (await ctx.take(challengeName(kind))) !== challenge) return false;
  return needs.store.noteUse(key.id, counter, ctx.now);
}

export function webauthnLogin(needs: Needs): LoginPart {
  const { store, limits } = needs;
  const keysOf = async (identityId: string) =>
    (await store.list(identityId)).filter(({ kind }) => kind === "webauthn");
  return {
    group: "webauthn",
    aal: "aal2",
    fields: ["webauthn_login"],
    async nodes(_flow, identity, ctx) {
      const keys = identity ? await keysOf(identity.id) : [];
      const value = keys.length > 0 ? options("webauthn", needs, ctx, keys) : null;
      if (value === null) return [];
      const trigger = {
        name: "webauthn_login_trigger",
        type: "button",
        value,
        onclickTrigger: "oryWebAuthnLogin",
      } as const;
      return [
        input("webauthn", trigger, labels.loginWebauthn),
        input("webauthn", { name: "webauthn_login", type: "hidden", value: "" }),
      ];
    },
    async submit({ form, ctx }) {
      if (!ctx.session) throw problems.sessionInactive();
      const { personId } = ctx.session;
      const keys = await keysOf(personId);
      if (keys.length === 0) return failure({ message: texts.noWebauthn }, "not set up");
      const refused = await judgeGuess(limits, ctx.session, ctx, async () => {
        const answer = readUsed(form.get("webauthn_login") ?? "");
        const key = keys.find(({ id }) => id.toString("base64url") === answer?.id);
        const right = !!answer && !!key && (await isProof("webauthn", needs, ctx, key, answer));
        return right ? { right } : { right: false, complaint: wrong };
      });
      return refused ?? { personId, method: "webauthn" };
    },
  };
}

/** Counts as one factor, as it does in Kratos, although it asks for a thing and a finger or PIN. */
export function passkeyLogin(needs: Needs): LoginPart {
  const { store } = needs;
  return {
    group: "passkey",
    aal: "aal1",
    fields: ["passkey_login"],
    async nodes(_flow, identity, ctx) {
      // For strangers the browser looks for a passkey itself; the button is there once anybody has one.
      const keys = identity ? (await store.list(identity.id)).filter(({ kind }) => kind === "passkey") : [];
      if (identity ? keys.length === 0 : !(await store.anyPasskey())) return [];
      const value = options("passkey", needs, ctx, keys);
      if (value === null) return [];
      const trigger = {
        name: "passkey_login_trigger",
        type: "button",
        value: "",
        onclickTrigger: "oryPasskeyLogin",
      } as const;
      return [
        input("passkey", { name: "passkey_challenge", type: "hidden", value }),
        input("passkey", { name: "passkey_login", type: "hidden", value: "" }),
        input("passkey", trigger, labels.loginPasskey),
      ];
    },
    async submit({ form, ctx }) {
      const answer = readUsed(form.get("passkey_login") ?? "");
      const key = answer && (await store.find(Buffer.from(answer.id, "base64url")));
      if (!answer || !key) return failure({ message: texts.noSuchPasskey }, "unknown key");
      const owner = handleOf(key.identityId).toString("base64url");
      const isOwners = !answer.response.userHandle || answer.response.userHandle === owner;
      const right = isOwners && (await isProof("passkey", needs, ctx, key, answer));
      return right ? { personId: key.identityId, method: "passkey" } : failure(wrong, "wrong");
    },
  };
}
