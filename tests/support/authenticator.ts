/** An authenticator in little (ES256), with the browser around it; every lie it can tell is an option. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

interface Lies {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  /** Nobody gave a PIN or a finger. */
  unverified?: boolean;
  /** The counter that is told; without it, it goes up by one. */
  counter?: number;
  userHandle?: string;
  /** Whose id is claimed. */
  id?: string;
}
interface Options {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
  user?: { id: string };
}

const sha256 = (data: Buffer | string) => createHash("sha256").update(data).digest();
const PRESENT = 1;
const VERIFIED = 4;
const WITH_KEY = 64;

export function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const cose = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, "base64url")],
      [-3, Buffer.from(y, "base64url")],
    ]),
  );
  const id = randomBytes(32);
  let counter = 0;
  let owner = "";

  const clientData = (type: string, challenge: string, lies: Lies) =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    );

  function authenticatorData(rpId: string, extra: Buffer, lies: Lies): Buffer {
    counter = lies.counter ?? counter + 1;
    const flags = PRESENT | (lies.unverified ? 0 : VERIFIED) | (extra.length > 0 ? WITH_KEY : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(lies.rpId ?? rpId), Buffer.from([flags]), count, extra]);
  }

  const read = (json: string) => (JSON.parse(json) as { publicKey: Options }).publicKey;
  const answer = (response: object, lies: Lies) => {
    const shown = lies.id ?? id.toString("base64url");
    return JSON.stringify({ id: shown, rawId: shown, type: "public-key", response });
  };

  return {
    id,
    /** `navigator.credentials.create`. */
    make(json: string, lies: Lies = {}): string {
      const { rp, challenge, user } = read(json);
      owner = user?.id ?? "";
      const length = Buffer.from([0, id.length]);
      const data = authenticatorData(
        rp?.id ?? "",
        Buffer.concat([Buffer.alloc(16), length, id, Buffer.from(cose)]),
        lies,
      );
      const attestation = new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", new Uint8Array(data)],
      ]);
      return answer(
        {
          attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString("base64url"),
          clientDataJSON: clientData("webauthn.create", challenge, lies).toString("base64url"),
          transports: ["usb"],
        },
        lies,
      );
    },
    /** `navigator.credentials.get`. */
    use(json: string, lies: Lies = {}): string {
      const { rpId = "", challenge } = read(json);
      const data = authenticatorData(rpId, Buffer.alloc(0), lies);
      const client = clientData("webauthn.get", challenge, lies);
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      return answer(
        {
          authenticatorData: data.toString("base64url"),
          clientDataJSON: client.toString("base64url"),
          signature: signature.toString("base64url"),
          userHandle: lies.userHandle ?? owner,
        },
        lies,
      );
    },
  };
}
