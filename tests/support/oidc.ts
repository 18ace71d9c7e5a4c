import { fork, type ChildProcess } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { JWTPayload } from "jose";
import { freePort } from "#server/db/ports.ts";
import { KEY, startProduct } from "#tests/support/product.ts";
import type { Claims, Forgery, Order, Settings } from "./oidc-server.ts";

export type { Forgery } from "./oidc-server.ts";
export const CLIENT_ID = "pilothouse";
export const CLIENT_SECRET = "a client secret of this run, long enough";
export const AUDIENCE = "https://pilothouse.example/api";
export type TestProvider = Awaited<ReturnType<typeof startOidc>>;

interface Options {
  /** Where the product will be. */
  publicUrl: string;
  people: Record<string, Claims>;
  /** Seconds that tokens live. */
  ttl?: number;
  port?: number;
  redirectUris?: string[];
  /** The client has no secret. */
  isPublic?: boolean;
}

/** A real provider in a process of its own, with the product as its client. */
export async function startOidc({ publicUrl, people, ttl = 300, port, redirectUris, isPublic }: Options) {
  const at = port ?? (await freePort());
  const issuer = `http://127.0.0.1:${at}`;
  const settings: Settings = {
    port: at,
    ttl,
    people,
    key: generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" }),
    clients: [
      {
        client_id: CLIENT_ID,
        ...(isPublic ? { token_endpoint_auth_method: "none" } : { client_secret: CLIENT_SECRET }),
        redirect_uris: redirectUris ?? [`${publicUrl}/login/callback`],
        post_logout_redirect_uris: [`${publicUrl}/logout`],
        backchannel_logout_uri: `${publicUrl}/logout/backchannel`,
        backchannel_logout_session_required: true,
        grant_types: ["authorization_code", "refresh_token"],
      },
    ],
  };
  let child: ChildProcess;
  let orders = 0;

  async function start() {
    const file = fileURLToPath(new URL("oidc-server.ts", import.meta.url));
    let said = "";
    child = fork(file, [], { execArgv: ["--import", "tsx"], stdio: ["ignore", "pipe", "pipe", "ipc"] });
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (said += String(chunk)));
    await new Promise<void>((ready, fail) => {
      child.once("message", () => ready());
      child.once("exit", (code) => fail(new Error(`the provider ended with ${code}: ${said}`)));
      child.send(settings);
    });
  }
  const stop = () =>
    new Promise<void>((gone) => {
      child.once("exit", () => gone());
      child.kill("SIGKILL");
    });

  function order<T>(one: Order): Promise<T> {
    const id = ++orders;
    return new Promise((done, fail) => {
      const heard = (message: { id?: number; answer?: T; failed?: string }) => {
        if (message.id !== id) return;
        child.off("message", heard);
        if (message.failed) fail(new Error(message.failed));
        else done(message.answer as T);
      };
      child.on("message", heard);
      child.send({ id, order: one });
    });
  }

  await start();
  return {
    issuer,
    start,
    stop,
    /** What its people are from now on; tokens that are out already still say what was. */
    setPeople: (now: Record<string, Claims>) => {
      settings.people = now;
      return order<null>({ do: "people", people: now });
    },
    /** The ID tokens of its next answers are these; null: its own again. */
    forge: (forgery: Forgery | null) => order<null>({ do: "forge", forgery }),
    /** The session ended at the provider: it tells the product by its back channel. */
    endSession: (sub: string, sid: string) => order<null>({ do: "end", sub, sid }),
    /** Any token, signed by its key, by another under the same name, by its public key as a secret, or not at all. */
    sign: (
      claims: JWTPayload,
      {
        key = "own",
        header = {},
      }: { key?: "own" | "other" | "secret" | "none" | "unknown"; header?: Record<string, string> } = {},
    ) => order<string>({ do: "sign", claims, key, header }),
  };
}

/** What web and control plane are told of a provider; nobody has an account of ours. */
export const clientOf = ({ issuer }: Pick<TestProvider, "issuer">) => ({
  PILOTHOUSE_ADMIN_EMAIL: undefined,
  PILOTHOUSE_ADMIN_PASSWORD: undefined,
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT_ID,
  OIDC_CLIENT_SECRET: CLIENT_SECRET,
  OIDC_AUDIENCE: AUDIENCE,
});

/** A control plane that believes the tokens of a provider for one organisation. */
export const startHostedPlane = (
  provider: Pick<TestProvider, "issuer">,
  { port, databaseUrl, env = {} }: { port: number; databaseUrl: string; env?: Record<string, string> },
) =>
  startProduct({
    port,
    env: {
      ...clientOf(provider),
      DATABASE_URL: databaseUrl,
      PILOTHOUSE_KEY: KEY,
      PILOTHOUSE_ROLE: "control-plane",
      OIDC_ORGANIZATION: "acme",
      ...env,
    },
  });

/** Without the escapes of the characters that occur in our words and addresses. */
const plain = (html: string) => html.replaceAll("&#x27;", "'").replaceAll("&amp;", "&");

/** A browser without scripts in little: one jar, redirects followed by hand, meta refreshes on request. */
export function newVisitor() {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (url: string) => {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };

  async function visit(
    url: string,
    { form, headers = {} }: { form?: Record<string, string>; headers?: Record<string, string> } = {},
  ) {
    const jar = jarOf(url);
    const response = await fetch(url, {
      redirect: "manual",
      method: form ? "POST" : "GET",
      headers: {
        accept: "text/html",
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(form ? { origin: new URL(url).origin } : {}),
        ...headers,
      },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const equals = pair.indexOf("=");
      const isGone = /max-age=0|expires=thu, 01 jan 1970/i.test(line);
      if (isGone) jar.delete(pair.slice(0, equals));
      else jar.set(pair.slice(0, equals), pair.slice(equals + 1));
    }
    return response;
  }

  /** Follows redirects, and the page in between that refreshes itself, to a page that stays. */
  async function go(url: string, options: Parameters<typeof visit>[1] = {}) {
    let at = url;
    let response = await visit(at, options);
    for (let steps = 0; steps < 20; steps++) {
      const location = response.headers.get("location");
      const text = location ? "" : await response.text();
      const refresh = /<meta http-equiv="refresh" content="0; ?url=([^"]+)"/i.exec(text)?.[1];
      const next = location ?? (refresh && plain(refresh));
      if (!next) return { url: at, status: response.status, text: plain(text), headers: response.headers };
      at = new URL(next, at).href;
      response = await visit(at);
    }
    throw new Error(`${url} leads nowhere`);
  }

  return {
    jarOf,
    visit,
    go,
    /** From any page of the product that needs a session to the same page, signed in as this account. */
    async signIn(url: string, account: string) {
      const asked = await go(url);
      return go(asked.url, { form: { account, do: "sign-in" } });
    },
  };
}
