/**
 * Codes by mail. The work is the same for an address that has an account and for one that has none: a code is made,
 * kept and put into the queue; what nobody has asked for is only not sent. For a registration it is the other way round:
 * the address that nobody has gets the code, and the owner of a taken one a word that somebody tried.
 */
import { createHmac, randomBytes, randomInt } from "node:crypto";
import type { Courier } from "./courier.ts";
import type { Links } from "./links.ts";
import { accountExistsMail, recoveryMail, verificationMail } from "./mail.ts";
import type { CodeStore, Spent } from "./store/codes.ts";
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
  links: Links;
  /** Keys the hashes: six digits are soon guessed from a plain one. */
  key: string;
  now: () => Date;
}

export function createCodes({ codes, identities, courier, links, key, now }: Needs) {
  const secret = createHmac("sha256", key).update("pilothouse identity codes").digest();
  const hashOf = (flowId: string, code: string) =>
    createHmac("sha256", secret).update(`${flowId} ${code}`).digest();

  const pageOf = (name: "login" | "recovery") => courier.absolute(links.page(name));

  return {
    /**
     * Makes the flow's code, in place of an earlier one, and mails it to the address if an active account has it; where
     * it `registers`, if no account has it.
     */
    async send(kind: CodeKind, flowId: string, address: string, registers = false): Promise<void> {
      const account = await identities.findAccount(address);
      const identityId = account?.active && !registers ? account.person.personId : null;
      const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0");
      const expiresAt = new Date(now().getTime() + CODE_MINUTES * 60_000);
      const isOfUse = registers ? account === null : identityId !== null;
      const known = hashOf(flowId, code);
      // A code that proves nothing is one that nobody can guess.
      const hash = isOfUse ? known : randomBytes(known.length);
      await codes.save({ flowId, identityId, address, hash, expiresAt });
      const asked = MAILS[kind]({ code, minutes: CODE_MINUTES });
      const exists = accountExistsMail({ signIn: pageOf("login"), recovery: pageOf("recovery") });
      const mail = registers && account ? exists : asked;
      const isWithheld = !isOfUse && !(registers && account?.active);
      await courier.queue({ ...mail, recipient: address, expiresAt, isWithheld });
    },

    /** Spends the flow's code, once; spaces in it are no fault. */
    spend: (flowId: string, code: string): Promise<Spent | "wrong" | "over"> =>
      codes.spend(flowId, hashOf(flowId, code.replace(/\s/g, "")), now()),

    addressOf: codes.addressOf,
  };
}

export type Codes = ReturnType<typeof createCodes>;
