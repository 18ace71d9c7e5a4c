/**
 * The two ceremonies of WebAuthn (making a key, using one): their options as browsers and the public Ory Kratos API have
 * them, and the judging of answers by a library, which is loaded when the first answer comes.
 */
import { randomBytes } from "node:crypto";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import type { KeyKind, WebauthnKey } from "../store/webauthn.ts";
import type { RelyingParty } from "./relying-party.ts";

const TIMEOUT_MS = 60_000;
const SITE = "Pilothouse";
/** EdDSA, ES256, RS256 (COSE numbers): what every authenticator has one of. */
const ALGORITHMS = [-8, -7, -257];

/** A passkey stands alone, so it must know its owner (a PIN, a finger); a security key comes after a password. */
const SELECTION = {
  passkey: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
  webauthn: { residentKey: "discouraged", requireResidentKey: false, userVerification: "discouraged" },
} as const;

/** 256 bits, base64url. */
export const newChallenge = (): string => randomBytes(32).toString("base64url");

/** The person's id as the bytes a passkey keeps of its owner. */
export const handleOf = (identityId: string): Buffer => Buffer.from(identityId.replaceAll("-", ""), "hex");

const described = ({ id, transports }: WebauthnKey) => ({
  id: id.toString("base64url"),
  type: "public-key" as const,
  ...(transports.length > 0 && { transports }),
});

/** What `navigator.credentials.create` is given, as JSON. No authenticator that has a key already makes another. */
export function creationOptions(
  kind: KeyKind,
  { id }: RelyingParty,
  user: { id: string; name: string },
  { challenge, keys }: { challenge: string; keys: WebauthnKey[] },
): string {
  return JSON.stringify({
    publicKey: {
      rp: { id, name: SITE },
      user: { id: handleOf(user.id).toString("base64url"), name: user.name, displayName: user.name },
      challenge,
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
      timeout: TIMEOUT_MS,
      excludeCredentials: keys.map(described),
      authenticatorSelection: SELECTION[kind],
      attestation: "none",
    },
  });
}

/** What `navigator.credentials.get` is given, as JSON. Without keys the browser offers every passkey of this site. */
export function requestOptions(
  kind: KeyKind,
  { id }: RelyingParty,
  { challenge, keys }: { challenge: string; keys: WebauthnKey[] },
): string {
  const { userVerification } = SELECTION[kind];
  const allowCredentials = keys.map(described);
  return JSON.stringify({
    publicKey: { rpId: id, challenge, timeout: TIMEOUT_MS, userVerification, allowCredentials },
  });
}

const bytes = z.string().regex(/^[\w-]+$/);
const credential = { id: bytes, rawId: bytes, type: z.literal("public-key") };
const Created = z.object({
  ...credential,
  response: z.object({
    attestationObject: bytes,
    clientDataJSON: bytes,
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
});
const Used = z.object({
  ...credential,
  response: z.object({
    authenticatorData: bytes,
    clientDataJSON: bytes,
    signature: bytes,
    userHandle: z.string().nullish(),
  }),
});

/** The posted JSON of an answer, or null when it is none. */
function read<Shape extends z.ZodType>(shape: Shape, posted: string): z.output<Shape> | null {
  try {
    return shape.safeParse(JSON.parse(posted)).data ?? null;
  } catch {
    return null;
  }
}
export const readUsed = (posted: string) => read(Used, posted);
export type UsedKey = NonNullable<ReturnType<typeof readUsed>>;

/** The new key inside an answer of `create`; null when it is not for this site, this challenge, or is no key at all. */
export async function madeKey(
  kind: KeyKind,
  party: RelyingParty,
  challenge: string,
  posted: string,
): Promise<Pick<WebauthnKey, "id" | "publicKey" | "counter" | "transports" | "rpId" | "kind"> | null> {
  const answer = read(Created, posted);
  if (!answer) return null;
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const verdict = await verifyRegistrationResponse({
    response: { ...answer, clientExtensionResults: {} } as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: party.origins,
    expectedRPID: party.id,
    requireUserVerification: kind === "passkey",
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  if (!verdict?.verified) return null;
  const { id, publicKey, counter } = verdict.registrationInfo.credential;
  return {
    id: Buffer.from(id, "base64url"),
    publicKey: Buffer.from(publicKey),
    counter,
    transports: answer.response.transports ?? [],
    rpId: party.id,
    kind,
  };
}

/**
 * The new counter when this answer of `get` was signed by this key, for this site and this challenge; else null.
 * A key is good only for the name it was made for, whatever name we have now.
 */
export async function usedCounter(
  key: WebauthnKey,
  party: RelyingParty,
  challenge: string,
  answer: UsedKey,
): Promise<number | null> {
  if (key.rpId !== party.id) return null;
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const verdict = await verifyAuthenticationResponse({
    response: { ...answer, clientExtensionResults: {} } as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: party.origins,
    expectedRPID: key.rpId,
    requireUserVerification: key.kind === "passkey",
    credential: {
      id: key.id.toString("base64url"),
      publicKey: new Uint8Array(key.publicKey),
      counter: key.counter,
    },
  }).catch(() => null);
  return verdict?.verified ? verdict.authenticationInfo.newCounter : null;
}
