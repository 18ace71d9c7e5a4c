/**
 * Keeping what was typed when a session ends under a form (issue 5, deliver 10). The fields go to the browser and back,
 * sealed: bound to the address, to the person who had been signed in, and to a day. Nothing is stored here.
 */
import { env } from "./env.server.ts";
import { nameOfLine } from "./cookies.ts";
import { scope } from "./scope.server.ts";
import { deriveKey, seal, unseal } from "./seal.server.ts";
import { rememberedSession } from "./session.server.ts";
import { KEPT_FIELD, type SignedOut } from "./signed-out.ts";

/** Bytes of names and values that are carried, and of a body that is read for them. */
const MAX_KEPT = 64 * 1024;
const MAX_READ = 256 * 1024;
const KEPT_MS = 24 * 60 * 60_000;

/** Never carried, whatever holds them: by name, because a posted form does not say which fields hide what is typed. */
const SECRET_NAME =
  /pass(word|phrase|code)|passwd|secret|token|api[-_.]?key|private[-_.]?key|credential|totp|otp\b/i;

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

interface Kept {
  at: number;
  /** The person's id, null when the browser did not say. */
  who: string | null;
  fields: [name: string, value: string][];
}

let key: Buffer | undefined;
const keptKey = () => (key ??= deriveKey(env().sessionSecret, "kept form"));
const sealName = (address: string) => `${KEPT_FIELD} POST ${address}`;

/** Where the request's form was posted, without what a data request adds; `?index` is part of it. */
export function formAddress(request: Request): string {
  const { pathname, search } = new URL(request.url);
  const own = search
    .slice(1)
    .split("&")
    .filter((part) => part !== "" && !/^_(routes|data)(=|$)/.test(part));
  return own.length > 0 ? `${pathname}?${own.join("&")}` : pathname;
}

/** Draws the sign-in form of the configured way; `cookies` are Set-Cookie lines that belong to it. Null: it has none. */
type Draw = (
  request: Request,
  ask: { address: string; aal: "aal2" | null },
) => Promise<{ form: unknown; cookies: string[] } | null>;
let draw: Draw = () => Promise.resolve(null);

/** Called once at start: the library cannot know how people sign in (docs/ARCHITECTURE.md, imports). */
export const drawSignInWith = (how: Draw): void => {
  draw = how;
};

/** The answer to a form of somebody who is signed out (or not far enough): 401, with all the page needs. */
export async function signedOut(
  request: Request,
  { aal, cookies }: { aal: "aal2" | null; cookies: string[] },
): Promise<Response> {
  const address = formAddress(request);
  const kept = await keptOf(request, address);
  const form = await drawn(request, { address, aal });
  for (const line of [...cookies, ...(form?.cookies ?? [])]) scope().cookies.set(nameOfLine(line), line);
  return Response.json(
    { signedOut: { address, ...kept, form: form?.form ?? null } satisfies SignedOut },
    { status: 401 },
  );
}

/** A sign-in form that cannot be drawn (a redirect elsewhere, a service that is away) costs the form, not what was typed. */
async function drawn(request: Request, ask: Parameters<Draw>[1]) {
  try {
    return await draw(request, ask);
  } catch (thrown) {
    if (thrown instanceof Response) return null;
    throw thrown;
  }
}

const NOTHING = { kept: null, isTooLong: false };
const TOO_LONG = { kept: null, isTooLong: true };

async function keptOf(request: Request, address: string): Promise<Pick<SignedOut, "kept" | "isTooLong">> {
  const form = await readForm(request);
  if (form === null) return TOO_LONG;
  const before = form.get(KEPT_FIELD);
  // Signed out once more on the way back: it is carried on as it is.
  if (typeof before === "string") return { ...NOTHING, kept: unsealed(before, address) ? before : null };
  const fields = [...form].filter((pair): pair is [string, string] => typeof pair[1] === "string");
  const carried = fields.filter(([name]) => !isSecretName(name));
  if (carried.length === 0) return NOTHING;
  const bytes = carried.reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value),
    0,
  );
  if (bytes > MAX_KEPT) return TOO_LONG;
  const what: Kept = { at: Date.now(), who: rememberedSession(request)?.id ?? null, fields: carried };
  return { ...NOTHING, kept: seal(keptKey(), sealName(address), what) };
}

/** Null: too long to be read for this. What is no form has no fields. */
async function readForm(request: Request): Promise<FormData | null> {
  const length = request.headers.get("content-length");
  if (length === null || Number(length) > MAX_READ)
    return length === null && !request.body ? new FormData() : null;
  return request.formData().catch(() => new FormData());
}

function unsealed(sealed: string, address: string): Kept | null {
  const value = unseal(keptKey(), sealName(address), sealed) as Kept | null;
  return value && Date.now() - value.at < KEPT_MS ? value : null;
}

/**
 * The fields of a kept form that has come back to its address with this person signed in. Null: it is of another page or
 * another person, too old, or not ours.
 */
export function broughtBack(request: Request, sealed: string, person: string): FormData | null {
  const kept = unsealed(sealed, formAddress(request));
  if (!kept || (kept.who !== null && kept.who !== person)) return null;
  const form = new FormData();
  for (const [name, value] of kept.fields) form.append(name, value);
  return form;
}
