/** The pure rules of the identity service: passwords, throttle, tokens, forms. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAccessToken } from "./access-tokens.ts";
import { beginFlow, isExpired, refuse, replaceFlow } from "./flow.ts";
import { createGate } from "./gate.ts";
import { identifierNode, image, input, passwordNode, submit, text } from "./nodes.ts";
import { missingOf, partOf } from "./parts.ts";
import { passwordProblem } from "./passwords.ts";
import { isEmail, readTraits } from "./registration.ts";
import { labels, texts } from "./texts.ts";
import { secondsToWait, waitSentence } from "./throttle.ts";
import { maskCsrf, newCsrfToken, sameDigest, unmaskCsrf } from "./tokens.ts";

const NOW = new Date("2026-01-01T12:00:00Z");

describe("a password", () => {
  it.each([
    ["1234567", "a@b.c", 4000032],
    ["пароль1", "a@b.c", 4000032],
    ["PASSWORD", "a@b.c", 4000005],
    ["me@example.org1", "me@example.org", 4000031],
  ])("%j of %j is refused", (password, email, id) => expect(passwordProblem(password, email)?.id).toBe(id));

  it.each(["correct horse", "пароль12", "a".repeat(1024)])("%j is taken", (password) =>
    expect(passwordProblem(password, "me@example.org")).toBeNull(),
  );
});

describe("the throttle", () => {
  const one = (count: number) => ({ count, oldest: new Date(NOW.getTime() - 60_000) });

  it("bears the limits and then waits until the oldest failure is out of the window", () => {
    expect(secondsToWait({ pair: one(5), client: one(50), account: one(50) }, NOW)).toBe(0);
    expect(secondsToWait({ pair: one(6), client: one(6), account: one(6) }, NOW)).toBe(14 * 60);
    expect(secondsToWait({ pair: one(1), client: one(51), account: one(1) }, NOW)).toBe(14 * 60);
    expect(secondsToWait({ pair: one(1), client: one(1), account: one(51) }, NOW)).toBe(14 * 60);
  });

  it("says so in minutes", () => {
    expect(waitSentence(61)).toContain("in 2 minutes.");
    expect(waitSentence(1)).toContain("in a minute.");
  });
});

describe("the CSRF value", () => {
  it("differs each time and is the same underneath", () => {
    const token = newCsrfToken();
    const [a, b] = [maskCsrf(token), maskCsrf(token)];
    expect(a).not.toBe(b);
    expect(unmaskCsrf(a)).toBe(token);
    expect(unmaskCsrf(b)).toBe(token);
    expect(unmaskCsrf(token)).toBe(token);
  });

  it("is nothing when it is anything else", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const length = Buffer.from(text, "base64").length;
        return unmaskCsrf(text) === null || length === 32 || length === 64;
      }),
    );
    expect(sameDigest(null, null)).toBe(false);
  });
});

describe("an access token", () => {
  it("is five parts with costs that are not dearer than ours", () => {
    expect(parseAccessToken("secret.saltsalt.1.65536.4")).toEqual({
      password: "secret",
      salt: "saltsalt",
      timeCost: 1,
      memoryCost: 65536,
      parallelism: 4,
    });
    for (const bad of [
      "secret.salt.1.65536.4",
      "secret.saltsalt.4.65536.4",
      "secret.saltsalt.1.65537.4",
      "secret.saltsalt.1.65536.9",
      "secret.saltsalt.1.8.4",
      "secret.saltsalt.1e1.65536.4",
      "secret.saltsalt.-1.65536.4",
      ".saltsalt.1.65536.4",
      "secret.saltsalt.1.65536.4.",
      "s".repeat(600),
    ])
      expect(parseAccessToken(bad)).toBeNull();
  });
});

describe("a flow", () => {
  const nodes = [
    identifierNode(null),
    passwordNode("current-password"),
    submit("password", labels.signIn),
    image("totp", { id: "totp_qr", src: "data:image/png;base64,", width: 1, height: 1 }),
    text("totp", "totp_secret_key", texts.generic("KEY")),
    input("totp", { name: "totp_code", type: "text", required: true, autocomplete: "one-time-code" }),
  ];
  const flow = beginFlow({ kind: "login", requestUrl: "/x", returnTo: "/health", nodes }, NOW);

  it("keeps what was typed, never the password, and puts each complaint in its place", () => {
    const typed = new Map([
      ["identifier", "ada"],
      ["password", "never kept"],
      ["totp_code", "never kept"],
    ]);
    const refused = refuse(
      flow,
      typed,
      [
        { field: "password", message: texts.required("password") },
        { field: "elsewhere", message: texts.generic("a") },
        { message: texts.generic("b") },
      ],
      NOW,
    );
    expect(JSON.stringify(refused)).not.toContain("never kept");
    expect(refused.nodes[0]?.attributes).toMatchObject({ value: "ada" });
    expect(refused.nodes[1]?.messages).toEqual([texts.required("password")]);
    expect(refused.messages.map(({ text }) => text)).toEqual(["a", "b"]);
    const fresh = replaceFlow(refused, texts.generic("late"), new Date(NOW.getTime() + 3_600_000));
    expect(fresh.nodes).toEqual([]);
    expect(fresh).toMatchObject({ returnTo: "/health", kind: "login", messages: [texts.generic("late")] });
    expect(fresh.id).not.toBe(flow.id);
  });

  it("is over at its hour, not before", () => {
    expect(isExpired(flow, new Date(flow.expiresAt.getTime() - 1))).toBe(false);
    expect(isExpired(flow, flow.expiresAt)).toBe(true);
  });

  it("misses what its groups require, and of no other group", () => {
    const missing = (form: Map<string, string>, ...groups: ("default" | "password" | "totp")[]) =>
      missingOf({ flow, form }, groups).map(({ field }) => field);
    expect(missing(new Map(), "default", "password")).toEqual(["identifier", "password"]);
    expect(missing(new Map([["identifier", "a"]]), "default", "totp")).toEqual(["totp_code"]);
  });

  it("gives a form to the part its method names, else to the one whose field it carries", () => {
    const parts = [{ group: "password" as const }, { group: "totp" as const, fields: ["totp_unlink"] }];
    const of = (...form: [string, string][]) => partOf(parts, new Map(form))?.group;
    expect(of(["method", "password"], ["totp_unlink", "true"])).toBe("password");
    expect(of(["totp_unlink", "true"])).toBe("totp");
    expect(of(["totp_unlink", ""])).toBeUndefined();
    expect(of(["method", "magic"])).toBeUndefined();
  });
});

describe("traits", () => {
  it("are trimmed, the e-mail in lower case, empty names left out", () => {
    const typed = new Map([
      ["traits.email", " Ada@Example.ORG "],
      ["traits.name.first", "  "],
      ["traits.name.last", " Lovelace "],
    ]);
    expect(readTraits(typed)).toEqual({ email: "ada@example.org", name: { last: "Lovelace" } });
    expect(readTraits(new Map([["traits.email", "a@b.c"]]))).toEqual({ email: "a@b.c" });
  });

  it.each(["admin@local", "a+b@c.d", "ü@ö.de"])("%s is an address", (value) =>
    expect(isEmail(value)).toBe(true),
  );
  it.each(["", "@", "a@", "@b", "a b@c", "a@b@c", "<a@b>", "a@b,c@d"])("%j is not", (value) =>
    expect(isEmail(value)).toBe(false),
  );
});

describe("the gate", () => {
  it("lets so many through at once, and the next when one leaves, also by failing", async () => {
    const gate = createGate(2);
    let running = 0;
    let most = 0;
    const work = (n: number) => async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
      if (n % 3 === 0) throw new Error("no");
      return n;
    };
    const all = await Promise.allSettled(Array.from({ length: 9 }, (_, n) => gate(work(n))));
    expect(most).toBe(2);
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
  });
});
