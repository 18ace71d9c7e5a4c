/** The pure rules of second factors: codes by the clock, codes on paper, what is sealed, and whose site it is. */
import { describe, expect, it } from "vitest";
import { newCodes, plainCode } from "./lookup.ts";
import { HOST_HEADER, relyingParty } from "./relying-party.ts";
import { describeTotp, newTotpSecret, readTotpCode, stepOf } from "./totp.ts";
import { createVault } from "./vault.ts";

describe("a code of an authenticator app", () => {
  // RFC 6238, appendix B: the last six of its eight digits.
  const secret = Buffer.from("12345678901234567890");
  it.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("at %d s is %s", async (seconds, code) => {
    const step = Math.floor(seconds / 30);
    expect(await stepOf(secret, code, new Date(seconds * 1000))).toBe(step);
    expect(await stepOf(secret, code, new Date((seconds + 30) * 1000))).toBe(step);
    expect(await stepOf(secret, code, new Date((seconds - 30) * 1000))).toBe(step);
    expect(await stepOf(secret, code, new Date((seconds + 60) * 1000))).toBeNull();
    expect(await stepOf(secret, code, new Date((seconds - 60) * 1000))).toBeNull();
    expect(await stepOf(newTotpSecret(), code, new Date(seconds * 1000))).toBeNull();
  });

  it.each([
    ["287082", "287082"],
    [" 287 082 ", "287082"],
    ["28708", null],
    ["2870820", null],
    ["28708x", null],
    ["٢٨٧٠٨٢", null],
    ["", null],
  ])("%j is read as %j", (typed, code) => expect(readTotpCode(typed)).toBe(code));

  it("is described by a secret to be typed and a picture of the same", async () => {
    const { typed, uri, picture } = await describeTotp(secret, "ada@example.org");
    expect(typed).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    expect(uri).toBe(
      `otpauth://totp/Pilothouse:ada%40example.org?issuer=Pilothouse&secret=${typed}&algorithm=SHA1&digits=6&period=30`,
    );
    expect(picture.src).toMatch(/^data:image\/png;base64,iVBOR/);
  });
});

describe("backup codes", () => {
  it("are twelve, all different, of signs nobody mistakes", () => {
    const codes = newCodes();
    expect(new Set(codes).size).toBe(12);
    for (const code of codes) expect(code).toMatch(/^[2-9a-hjkmnp-z]{5}-[2-9a-hjkmnp-z]{5}$/);
    expect(codes).not.toEqual(newCodes());
  });

  it("are the same however they are written", () => {
    expect(plainCode(" K7M2X 9QHTD")).toBe(plainCode("k7m2x-9qhtd"));
  });
});

describe("the vault", () => {
  const vault = createVault("a key of thirty-two characters...");

  it("opens what it sealed, for its owner, under its key, undamaged", () => {
    const secret = newTotpSecret();
    const sealed = vault.seal("ada", secret);
    expect(sealed.includes(secret)).toBe(false);
    expect(vault.open("ada", sealed)).toEqual(secret);
    expect(vault.open("eve", sealed)).toBeNull();
    expect(createVault("another key of as many characters").open("ada", sealed)).toBeNull();
    expect(
      vault.open("ada", Buffer.from(sealed.map((byte, at) => (at === 30 ? byte ^ 1 : byte)))),
    ).toBeNull();
    expect(vault.open("ada", sealed.subarray(0, 20))).toBeNull();
  });

  it("hashes by owner and key", () => {
    expect(vault.hash("ada", "code")).toEqual(vault.hash("ada", "code"));
    expect(vault.hash("ada", "code")).not.toEqual(vault.hash("eve", "code"));
    expect(vault.hash("ada", "code")).not.toEqual(createVault("x".repeat(32)).hash("ada", "code"));
  });
});

describe("the site a key is for", () => {
  const asked = (host: string, header = HOST_HEADER) => new Headers({ [header]: host });

  it("is that of PUBLIC_URL, whatever host is asked for", () => {
    const party = { id: "ops.example.org", origins: ["https://ops.example.org"] };
    expect(relyingParty("https://ops.example.org", asked("evil.example"))).toEqual(party);
  });

  it("is else the host the browser asked for", () => {
    expect(relyingParty(null, asked("ops.example.org:8443"))).toEqual({
      id: "ops.example.org",
      origins: ["https://ops.example.org:8443"],
    });
    expect(relyingParty(null, asked("localhost:3000", "host"))).toEqual({
      id: "localhost",
      origins: ["https://localhost:3000", "http://localhost:3000"],
    });
  });

  it.each(["127.0.0.1:3000", "[::1]:3000", "", "a b", "x/../y", "user@host"])(
    "is none under %j, where browsers have no keys",
    (host) => expect(relyingParty(null, host === "" ? new Headers() : asked(host))).toBeNull(),
  );

  it("is none by plain http", () => {
    expect(relyingParty("http://ops.example.org", new Headers())).toBeNull();
  });
});
