/** Reading and judging what a registration form says. Pure. */
import { MAX_EMAIL, MAX_NAME } from "./nodes.ts";
import { passwordProblem } from "./passwords.ts";
import { texts, type Complaint } from "./texts.ts";

/** The identity schema `default`: only the e-mail is required, no other traits (facts/engines.md §14). */
export interface Traits {
  email: string;
  name?: { first?: string; last?: string };
}

/** Addresses are compared and kept in lower case, without spaces around them. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Deliberately wide: one @, something on both sides, no spaces; `admin@local` is an address. */
export function isEmail(value: string): boolean {
  return (
    value.length >= 3 && value.length <= MAX_EMAIL && /^[^\s@<>"(),;:\\]+@[^\s@<>"(),;:\\]+$/.test(value)
  );
}

export function readTraits(typed: ReadonlyMap<string, string>): Traits {
  const first = (typed.get("traits.name.first") ?? "").trim();
  const last = (typed.get("traits.name.last") ?? "").trim();
  const name = { ...(first && { first }), ...(last && { last }) };
  return {
    email: normaliseEmail(typed.get("traits.email") ?? ""),
    ...(first || last ? { name } : {}),
  };
}

export function traitComplaints({ email, name }: Traits): Complaint[] {
  const complaints: Complaint[] = [];
  if (!isEmail(email)) complaints.push({ field: "traits.email", message: texts.notAnEmail(email) });
  for (const part of ["first", "last"] as const) {
    const length = [...(name?.[part] ?? "")].length;
    if (length > MAX_NAME)
      complaints.push({ field: `traits.name.${part}`, message: texts.tooLong(MAX_NAME, length) });
  }
  return complaints;
}

export function passwordComplaints(password: string, email: string): Complaint[] {
  const message = passwordProblem(password, email);
  return message ? [{ field: "password", message }] : [];
}
