/** Codes from a mail, attacked on two control planes at once: used twice, used together, guessed, used elsewhere. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount, PASSWORD } from "#tests/support/people.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { startMail, type TestMail } from "#tests/support/mail.ts";
import { onDatabase, startProduct, type Product } from "#tests/support/product.ts";
import { newVisitor, type FlowAnswer, type Visitor } from "./visitor.ts";

let database: TestDatabase;
let mail: TestMail;
const products: Product[] = [];

beforeAll(async () => {
  [database, mail] = await Promise.all([createDatabase(), startMail()]);
  const env = {
    ...onDatabase(database.url),
    SMTP_HOST: mail.smtp.host,
    SMTP_PORT: String(mail.port),
    SMTP_FROM: mail.smtp.from,
  };
  products.push(await startProduct({ env }));
  products.push(await startProduct({ env }));
}, 180_000);
afterAll(async () => {
  for (const product of products) await product.stop();
  await mail?.close();
  await database?.drop();
});

const at = (n: number) => products[n % products.length]?.url ?? "";

async function somebody(): Promise<string> {
  const email = `somebody-${randomUUID().slice(0, 8)}@example.com`;
  await createAccount(database.pool, email, []);
  return email;
}
/** A recovery flow to which a code was mailed. */
async function asked(visitor: Visitor, email: string): Promise<{ flow: FlowAnswer; code: string }> {
  const flow = await visitor.begin("recovery");
  const sent = await visitor.send("recovery", flow, { method: "code", email });
  expect(sent.status).toBe(200);
  return { flow: sent, code: await mail.code(email) };
}
const spend = (visitor: Visitor, flow: FlowAnswer, code: string) =>
  visitor.send("recovery", flow, { method: "code", code });
const sessionsOf = async (email: string) =>
  (
    await database.pool.query<{ n: number }>(
      `select count(*)::int as n from internal.sessions s join identities i on i.id = s.identity_id
       where i.traits->>'email' = $1`,
      [email],
    )
  ).rows[0]?.n;

describe("a code of recovery", () => {
  test("opens one session, however many send it at once, on however many control planes", async () => {
    const email = await somebody();
    const visitor = newVisitor(at(0));
    const { flow, code } = await asked(visitor, email);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => spend(visitor.copy(at(n)), flow, code)),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(1);
    expect(await sessionsOf(email)).toBe(1);
  });

  test("is spent: not again, not in another flow, not in another browser", async () => {
    const email = await somebody();
    const visitor = newVisitor(at(0));
    const before = visitor.copy();
    const { flow, code } = await asked(visitor, email);
    for (const [name, value] of visitor.jar) before.jar.set(name, value);
    expect((await spend(visitor, flow, code)).status).toBe(422);
    expect((await spend(before, flow, code)).status).not.toBe(422);
    expect(before.jar.has("ory_kratos_session")).toBe(false);

    const other = newVisitor(at(1));
    const elsewhere = await asked(other, await somebody());
    expect((await spend(other, elsewhere.flow, code)).status).toBe(400);
    expect((await spend(newVisitor(at(1)), elsewhere.flow, elsewhere.code)).status).toBe(403);
    expect(await sessionsOf(email)).toBe(1);
  });

  test("is not guessed: few tries a flow, together or one by one, and few flows an hour", async () => {
    const email = await somebody();
    const visitor = newVisitor(at(0));
    const { flow, code } = await asked(visitor, email);
    const wrong = (n: number) => String((Number(code) + 1 + n) % 1_000_000).padStart(6, "0");
    await Promise.all(Array.from({ length: 12 }, (_, n) => spend(visitor.copy(at(n)), flow, wrong(n))));
    const late = await spend(visitor, flow, code);
    expect(late.status).toBe(400);
    expect(await sessionsOf(email)).toBe(0);

    let mailed = 1;
    for (let n = 0; n < 8; n += 1) {
      const again = newVisitor(at(n));
      const sent = await again.send("recovery", await again.begin("recovery"), { method: "code", email });
      if (sent.status === 200) mailed += 1;
    }
    expect(mailed).toBeLessThanOrEqual(3);
  });

  test("goes nowhere that a made-up Host says, and names nobody who has no account", async () => {
    const email = await somebody();
    const visitor = newVisitor(at(0));
    await asked(visitor, email);
    const letter = await mail.next(email);
    expect(letter.raw).not.toMatch(/evil|\r\nX-Injected/i);
    const stranger = newVisitor(at(0));
    const unknown = `nobody-${randomUUID().slice(0, 8)}@example.com`;
    const sent = await stranger.send("recovery", await stranger.begin("recovery"), {
      method: "code",
      email: unknown,
    });
    const known = await newVisitor(at(0));
    const other = await somebody();
    const alike = await known.send("recovery", await known.begin("recovery"), {
      method: "code",
      email: other,
    });
    expect(sent.status).toBe(alike.status);
    expect(sent.messages).toEqual(alike.messages);
    const shape = ({ nodes }: FlowAnswer) => nodes.map(({ attributes }) => attributes.name);
    expect(shape(sent)).toEqual(shape(alike));
    await mail.next(other);
  });

  test("and its address take no line ends into the letter", async () => {
    const visitor = newVisitor(at(0));
    const before = mail.letters.length;
    for (const email of [
      "a@example.com\r\nBcc: evil@example.com",
      "a@example.com\nX-Injected: yes",
      "a@example.com, evil@example.com",
    ]) {
      const sent = await visitor.send("recovery", await visitor.begin("recovery"), { method: "code", email });
      expect(sent.status).toBe(400);
    }
    expect(mail.letters.slice(before)).toEqual([]);
  });

  test("ends every other session once the password is changed by it", async () => {
    const email = await somebody();
    const thief = newVisitor(at(1));
    expect((await thief.signIn(email, PASSWORD)).status).toBe(200);
    const owner = newVisitor(at(0));
    const { flow, code } = await asked(owner, email);
    expect((await spend(owner, flow, code)).status).toBe(422);
    const settings = await owner.begin("settings");
    const saved = await owner.send("settings", settings, {
      method: "password",
      password: "a new long password",
    });
    expect(saved.status).toBe(200);
    expect(await thief.whoami()).toBe(401);
    expect(await owner.whoami()).toBe(200);
  });
});
