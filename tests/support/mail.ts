/** A real mail server that keeps what it is given, or turns it away. */
import { SMTPServer } from "smtp-server";
import type { AddressInfo } from "node:net";
import type pg from "pg";
import type { Smtp } from "#server/mail/smtp.ts";

export interface Letter {
  to: string[];
  /** The whole letter, headers and all, with its soft line breaks undone. */
  raw: string;
}

/** Listens on a free port, or the given one; `deaf` makes it answer "try later" to whatever comes. */
export async function startMail(at = 0) {
  const letters: Letter[] = [];
  const state = { deaf: false };
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onMailFrom: (_address, _session, done) =>
      done(state.deaf ? Object.assign(new Error("try again later"), { responseCode: 451 }) : null),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        letters.push({ to, raw: plain(Buffer.concat(chunks).toString("utf8")) });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  const smtp: Smtp = { host: "127.0.0.1", port, user: null, password: null, from: "ops@example.org" };

  /** Waits for a letter to this address that came after the first `seen` of them. */
  async function next(to: string, seen = 0, timeoutMs = 10_000): Promise<Letter> {
    const until = Date.now() + timeoutMs;
    for (;;) {
      const found = letters.filter((letter) => letter.to.includes(to))[seen];
      if (found) return found;
      if (Date.now() > until) throw new Error(`no letter no. ${seen + 1} came to ${to}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  return {
    letters,
    smtp,
    port,
    state,
    next,
    /** The six digits of the letter. */
    code: async (to: string, seen = 0) => /^(\d{6})\r?$/m.exec((await next(to, seen)).raw)?.[1] ?? "",
    /** The address a letter leads to. */
    link: async (to: string, seen = 0) =>
      /^(https?:\/\/\S+)\r?$/m.exec((await next(to, seen)).raw)?.[1] ?? "",
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Until every mail is sent or was refused: one that is under way would come to the next test. */
export async function allTried(pool: Pick<pg.Pool, "query">, timeoutMs = 10_000): Promise<void> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const { rowCount } = await pool.query(
      "select from internal.courier_messages where status = 'queued' and error is null",
    );
    if (!rowCount) return;
    if (Date.now() > until) throw new Error(`${rowCount} mails are under way`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export type TestMail = Awaited<ReturnType<typeof startMail>>;

/** Undoes quoted-printable. */
const plain = (raw: string) =>
  raw
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
