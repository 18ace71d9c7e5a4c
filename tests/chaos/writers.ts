/** Clients that write meanwhile, each until stopped, and remember which of their writes were acknowledged. */
import { ADMIN } from "#tests/support/product.ts";
import { ask, postForm, postJson, sleep } from "./http.ts";
import type { Product } from "./product.ts";

export const TYPE = "Chaos::Probe";
export const CANARY = "chaos written";
const ROW_WRITERS = 3;

/** What became of the writes of one kind. Whoever got no answer, or another, does not know: such a write may be there. */
export interface Written {
  kind: string;
  acknowledged: string[];
  unknown: string[];
}
interface Kind {
  kind: string;
  /** Writes once; true when it was acknowledged. */
  write(name: string): Promise<boolean>;
  /** What to write next, null when there is nothing left. */
  name(n: number): string | null;
  pauseMs: number;
}

const isCreated = (answer: { status: number } | null) => answer?.status === 201;

export function startWriters(product: Product, cookie: string, seed: string, byHand: readonly string[]) {
  const { url } = product;
  const rows = (writer: number): Kind => ({
    kind: "row",
    name: (n) => `chaos-${seed}-${writer}-${n}`,
    pauseMs: 5,
    write: async (name) =>
      isCreated(
        await postJson(`${url}/api/db/config_items`, cookie, { name, type: TYPE, config_class: "Probe" }),
      ),
  });
  const canaries: Kind = {
    kind: "canary",
    name: (n) => `${CANARY} ${n}`,
    pauseMs: 500,
    write: async (name) => {
      const tcp = ["a", "b"].map((check) => ({ name: check, endpoint: "127.0.0.1:1" }));
      const canary = { name, namespace: "chaos", source: "UI", spec: { schedule: "@every 1h", tcp } };
      return isCreated(await postJson(`${url}/api/db/canaries`, cookie, canary));
    },
  };
  const runs: Kind = {
    kind: "run",
    name: (n) => byHand[n] ?? null,
    pauseMs: 200,
    write: async (id) => {
      const answer = await postForm(`${url}/health?checkId=${id}`, cookie, { intent: "run", id });
      return answer?.status === 302 && /Check passed/.test(toastOf(answer.cookies));
    },
  };
  const forms: Kind = {
    kind: "form",
    name: addressOf,
    pauseMs: 700,
    write: async (address) => {
      const answer = await postForm(`${url}/health`, cookie, { intent: "add", url: address });
      return answer?.status === 302 && /watched/.test(toastOf(answer.cookies));
    },
  };
  const sessions: Kind & { cookies: string[] } = {
    kind: "sign-in",
    cookies: [],
    name: (n) => String(n),
    pauseMs: 3000,
    async write() {
      const session = await signInByForm(url);
      if (session) sessions.cookies.push(session);
      return session !== null;
    },
  };

  let going = true;
  async function keepWriting({ kind, write, name, pauseMs }: Kind): Promise<Written> {
    const written: Written = { kind, acknowledged: [], unknown: [] };
    for (let n = 0; going; n++) {
      const next = name(n);
      if (next === null) break;
      const isAcknowledged = await write(next);
      (isAcknowledged ? written.acknowledged : written.unknown).push(next);
      for (let left = isAcknowledged ? pauseMs : Math.max(pauseMs, 25); left > 0 && going; left -= 100)
        await sleep(Math.min(left, 100));
    }
    return written;
  }
  const kinds = [...Array.from({ length: ROW_WRITERS }, (_, n) => rows(n)), canaries, runs, forms, sessions];
  const done = Promise.all(kinds.map(keepWriting));

  return {
    sessions: sessions.cookies,
    /** No further write; what each kind of them came to. */
    async stop(): Promise<Written[]> {
      going = false;
      return done;
    },
  };
}

/** Addresses of this machine where nobody listens, each with a host of its own: the check is named after it. */
const addressOf = (n: number) => `http://127.1.${n >> 8}.${n & 255}:1/`;

/** The message a form's redirect carries. */
function toastOf(cookies: readonly string[]): string {
  const value = cookies.find((line) => line.startsWith("toast="))?.slice("toast=".length) ?? "";
  return Buffer.from(decodeURIComponent(value).split(".")[0] ?? "", "base64").toString();
}

/** The sign-in page's own form; the session's cookie, or null when it was not answered with one. */
async function signInByForm(url: string): Promise<string | null> {
  const page = await ask(`${url}/login`, { headers: {} }, 10_000);
  const action = /<form method="post" action="([^"]+)"/.exec(page?.text ?? "")?.[1];
  const csrf = /name="csrf_token" value="([^"]+)"/.exec(page?.text ?? "")?.[1];
  if (!page || !action || !csrf) return null;
  const plain = (text: string) => text.replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
  const answer = await postForm(url + plain(action), page.cookies.join("; "), {
    method: "password",
    identifier: ADMIN.email,
    password: ADMIN.password,
    csrf_token: plain(csrf),
  });
  return answer?.cookies.find((line) => line.startsWith("ory_kratos_session=")) ?? null;
}
