/**
 * Codes by mail. The work is the same for an address that has an account and for one that has none: a code is made,
 * kept and put into the queue; what nobody has asked for is only not sent.
 */
import { createHmac, randomInt } from "node:crypto";
import type { Courier } from "./courier.ts";
import { recoveryMail, verificationMail } from "./mail.ts";
import type { CodeStore, Proved } from "./store/codes.ts";
import type { IdentityStore } from "./store/identities.ts";

/** Minutes a code holds. */
const CODE_MINUTES = 15;
const DIGITS = 6;

export type CodeKind = "recovery" | "verification";
const MAILS = { recovery: recoveryMail, verification: verificationMail };

interface Needs {
  codes: CodeStore;
  identities: IdentityStore;
  courier: Courier;
  /** Keys the hashes: six digits are soon guessed from a plain one. */
  key: string;
  now: () => Date;
}

export function createCodes({ codes, identities, courier, key, now }: Needs) {
  const secret = createHmac("sha256", key).update("pilothouse identity codes").digest();
  const hashOf = (flowId: string, code: string) =>
    createHmac("sha256", secret).update(`${flowId} ${code}`).digest();

  return {
    /** Makes the flow's code, in place of an earlier one, and mails it to the address if an active account has it. */
    async send(kind: CodeKind, flowId: string, address: string): Promise<void> {
      const account = await identities.findAccount(address);
      const identityId = account?.active ? account.person.personId : null;
      const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0");
      const expiresAt = new Date(now().getTime() + CODE_MINUTES * 60_000);
      await codes.save({ flowId, identityId, address, hash: hashOf(flowId, code), expiresAt });
      const mail = MAILS[kind]({ code, minutes: CODE_MINUTES });
      await courier.queue({ ...mail, recipient: address, expiresAt, isWithheld: identityId === null });
    },

    /** Spends the flow's code, once; spaces in it are no fault. */
    spend: (flowId: string, code: string): Promise<Proved | "wrong" | "over"> =>
      codes.spend(flowId, hashOf(flowId, code.replace(/\s/g, "")), now()),

    addressOf: codes.addressOf,
  };
}

export type Codes = ReturnType<typeof createCodes>;
