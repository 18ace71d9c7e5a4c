/**
 * How much guessing and asking is borne, and by whom it is counted (specification 1 §7, docs/decisions/0102). Pure.
 *
 * Of each kind: `account` bounds everybody who guesses at one account, `pair` one client at one account, `client` one
 * client at all of them. A browser that signed in to the account before is counted by itself alone (`known`): an attack
 * that uses up the others does not keep the owner out.
 */
import { isIPv6 } from "node:net";

export type LimitKind = "password" | "recovery" | "registration" | "code" | "factor" | "token";
export type Dimension = "account" | "pair" | "client" | "known";
interface Limit {
  most: number;
  seconds: number;
}

const HOUR = 3_600;
const QUARTER = 900;
const per = (seconds: number, most: number): Limit => ({ most, seconds });

/** `password.account` is the figure to know: wrong passwords of strangers that are looked at per account and hour. */
export const LIMITS: Readonly<Record<LimitKind, Readonly<Record<Dimension, Limit>>>> = {
  password: {
    account: per(HOUR, 20),
    pair: per(QUARTER, 5),
    client: per(QUARTER, 50),
    known: per(QUARTER, 10),
  },
  /** Mails asked for. */
  recovery: { account: per(HOUR, 6), pair: per(QUARTER, 3), client: per(HOUR, 30), known: per(QUARTER, 3) },
  registration: {
    account: per(HOUR, 10),
    pair: per(HOUR, 10),
    client: per(HOUR, 60),
    known: per(HOUR, 10),
  },
  /** Codes from a mail that are tried; a flow has its own, smaller limit. */
  code: { account: per(HOUR, 20), pair: per(QUARTER, 10), client: per(QUARTER, 50), known: per(QUARTER, 10) },
  /** Access tokens that nobody has, by where they come from: nothing else is known of them. */
  token: { account: per(HOUR, 60), pair: per(HOUR, 60), client: per(QUARTER, 60), known: per(QUARTER, 60) },
  /** Second factors: who comes so far knows the password. */
  factor: {
    account: per(QUARTER, 5),
    pair: per(QUARTER, 5),
    client: per(QUARTER, 50),
    known: per(QUARTER, 5),
  },
};

/** Who tries: what is known of it. `account` is the person's id, or the e-mail as typed where there is none. */
export interface LimitKeys {
  account?: string | undefined;
  /** The address the web saw. */
  client?: string | null | undefined;
  /** The id of a browser that signed in to this account before (known-browsers.ts). */
  device?: string | null | undefined;
}

/** What one attempt is counted under. */
export function countedUnder(kind: LimitKind, { account, client, device }: LimitKeys) {
  const who = account?.trim().toLowerCase();
  const from = client ? networkOf(client, "client") : null;
  if (who && device) return [part(kind, "known", who, device)];
  return [
    ...(who ? [part(kind, "account", who)] : []),
    ...(who && from ? [part(kind, "pair", who, from)] : []),
    ...(from ? [part(kind, "client", from)] : []),
  ];
}

const part = (kind: LimitKind, dimension: Dimension, ...values: string[]) => ({
  dimension,
  text: [kind, dimension, ...values].join("\0"),
  ...LIMITS[kind][dimension],
});

/** Groups of an IPv6 address that one customer has for certain, and those that one site usually has. */
const V6_GROUPS = { client: 4, network: 3 } as const;

/**
 * What addresses are compared by. As "client": an IPv4 address itself, of an IPv6 address its /64, of which whoever has
 * one has all. As "network": the neighbourhood that stays when an address is given out anew, /24 and /48.
 */
export function networkOf(address: string, as: "client" | "network"): string {
  if (isIPv6(address)) return groupsOf(address).slice(0, V6_GROUPS[as]).join(":");
  return as === "client" ? address : address.split(".").slice(0, 3).join(".");
}

/** The eight groups of an IPv6 address; a zone and an IPv4 ending are left as they are. */
function groupsOf(address: string): string[] {
  const [head = "", tail] = address.toLowerCase().split("::");
  const split = (text: string) =>
    text === "" ? [] : text.split(":").map((group) => group.replace(/^0+(?=.)/, ""));
  const [left, right] = [split(head), split(tail ?? "")];
  const missing = Math.max(0, 8 - left.length - right.length);
  return [...left, ...(tail === undefined ? [] : Array<string>(missing).fill("0")), ...right];
}

/** The sentence for a person. */
export function waitSentence(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return `Too many attempts. Please try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`;
}
