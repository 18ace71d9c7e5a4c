/** The pure rules of the identity service: passwords, throttle, tokens, forms. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAccessToken } from "./access-tokens.ts";
import { beginFlow, isExpired, refuse, replaceFlow } from "./flow.ts";
import { Busy, createGate } from "./gate.ts";
import { createKnownBrowsers } from "./known-browsers.ts";
import { identifierNode, image, input, passwordNode, submit, text } from "./nodes.ts";
import { missingOf, partOf } from "./parts.ts";
import { DECOY, hashPassword, passwordProblem } from "./passwords.ts";
import { isEmail, readTraits } from "./registration.ts";
import { labels, texts } from "./texts.ts";
import { countedUnder, networkOf, waitSentence, type LimitKind } from "./throttle.ts";
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
  const dimensions = (keys: Parameters<typeof countedUnder>[1]) =>
    countedUnder("password", keys).map(({ dimension }) => dimension);

  it("counts a stranger in three ways, and a browser that is known by itself alone", () => {
    expect(dimensions({ account: "a", client: "192.0.2.1" })).toEqual(["account", "pair", "client"]);
    expect(dimensions({ account: "a", client: null })).toEqual(["account"]);
    expect(dimensions({ client: "192.0.2.1" })).toEqual(["client"]);
    expect(dimensions({ account: "a", client: "192.0.2.1", device: "d" })).toEqual(["known"]);
  });

  it("counts each kind, account and client apart, and no other spelling of an account", () => {
    const texts = (kind: LimitKind, account: string, client: string) =>
      countedUnder(kind, { account, client }).map(({ text }) => text);
    expect(texts("password", " Ada@x.y ", "192.0.2.1")).toEqual(texts("password", "ada@x.y", "192.0.2.1"));
    const all = [
      ...texts("password", "a", "192.0.2.1"),
      ...texts("password", "b", "192.0.2.2"),
      ...texts("factor", "a", "192.0.2.1"),
      ...texts("code", "a", "192.0.2.1"),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it("takes the addresses of one customer for one, and keeps the neighbourhood of a new address", () => {
    expect(networkOf("192.0.2.77", "client")).toBe("192.0.2.77");
    expect(networkOf("192.0.2.77", "network")).toBe("192.0.2");
    expect(networkOf("2001:DB8::1", "client")).toBe("2001:db8:0:0");
    expect(networkOf("2001:db8:0:0:ffff::2", "client")).toBe("2001:db8:0:0");
    expect(networkOf("2001:0db8:0001:2::9", "client")).toBe("2001:db8:1:2");
    expect(networkOf("2001:db8:1:2::9", "network")).toBe("2001:db8:1");
    expect(networkOf("::1", "client")).toBe("0:0:0:0");
  });

  it("says so in minutes", () => {
    expect(waitSentence(61)).toContain("in 2 minutes.");
    expect(waitSentence(1)).toContain("in a minute.");
  });
});

describe("a browser that signed in before", () => {
  const known = createKnownBrowsers("a key of thirty-two characters...", () => NOW);
  const { name, value } = known.cookieFor("ada", "192.0.2.1", () => undefined);
  const shows = (text: string) => (asked: string) => (asked === name ? text : undefined);

  it("is known for that account and that neighbourhood, and keeps its id", () => {
    const id = known.idOf("ada", "192.0.2.200", shows(value));
    expect(id).toMatch(/^[\w-]{16}$/);
    expect(known.cookieFor("ada", "192.0.2.200", shows(value)).value.startsWith(`${id}.`)).toBe(true);
    expect(known.idOf("ada", "192.0.3.1", shows(value))).toBeNull();
    expect(known.idOf("ada", null, shows(value))).toBeNull();
    expect(known.idOf("bob", "192.0.2.1", () => value)).toBeNull();
    expect(known.idOf("ada", "192.0.2.1", () => undefined)).toBeNull();
  });

  it("cannot be made up: another key, a changed part, another day", () => {
    const other = createKnownBrowsers("another key of thirty-two chars..", () => NOW);
    expect(other.idOf("ada", "192.0.2.1", () => value)).toBeNull();
    const [id = "", day = "", mac = ""] = value.split(".");
    const flipped = (text: string) => (text.startsWith("A") ? "B" : "A") + text.slice(1);
    for (const forged of [
      [flipped(id), day, mac],
      [id, String(Number(day) + 1), mac],
      [id, String(Number(day) - 1), mac],
      [id, day, flipped(mac)],
      [id, day, ""],
    ])
      expect(known.idOf("ada", "192.0.2.1", shows(forged.join(".")))).toBeNull();
    const later = (days: number) =>
      createKnownBrowsers(
        "a key of thirty-two characters...",
        () => new Date(NOW.getTime() + days * 86_400_000),
      );
    expect(later(90).idOf("ada", "192.0.2.1", shows(value))).not.toBeNull();
    expect(later(91).idOf("ada", "192.0.2.1", shows(value))).toBeNull();
  });
});

describe("the password nobody knows", () => {
  it("costs what a real one costs", async () => {
    const costs = (phc: string) => phc.split("$").slice(0, 4).join("$");
    expect(costs(DECOY)).toBe(costs(await hashPassword("correct horse battery")));
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

  it("turns away what does not fit, and lets in first what is first", async () => {
    const gate = createGate(1, 2);
    const done: string[] = [];
    let open = () => {};
    const held = gate(() => new Promise<void>((resolve) => (open = resolve)));
    const one = gate(async () => done.push("one"));
    const two = gate(async () => done.push("two"));
    await expect(gate(async () => done.push("three"))).rejects.toThrow(Busy);
    const owner = gate(async () => done.push("owner"), { first: true });
    open();
    await Promise.all([held, one, two, owner]);
    expect(done).toEqual(["owner", "one", "two"]);
  });
});
