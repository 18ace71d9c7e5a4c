/**
 * A real OpenID Connect provider (oidc-provider) in a process of its own; `oidc.ts` starts it and says over the channel
 * what its people are and which of its answers are to be forged.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
} from "node:crypto";
import { decodeJwt, SignJWT, UnsecuredJWT, type JWK, type JWTPayload } from "jose";
import Provider, { type Configuration, type ClientMetadata } from "oidc-provider";

/** What somebody's token says besides who they are. */
export type Claims = Record<string, unknown>;
export type Forgery =
  | "other key"
  | "no algorithm"
  | "shared secret"
  | "other audience"
  | "other issuer"
  | "expired"
  | "other nonce";
export interface Settings {
  port: number;
  clients: ClientMetadata[];
  /** Seconds that access tokens and ID tokens live. */
  ttl: number;
  people: Record<string, Claims>;
  /** What it signs with: the same after a restart. */
  key: JsonWebKey;
}
export type Order =
  | { do: "people"; people: Record<string, Claims> }
  | { do: "forge"; forgery: Forgery | null }
  | { do: "end"; sub: string; sid: string }
  | {
      do: "sign";
      claims: JWTPayload;
      header: Record<string, string>;
      key: "own" | "other" | "secret" | "none" | "unknown";
    };

const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const KID = "test";

async function main({ port, clients, ttl, people: first, key }: Settings) {
  const privateKey = createPrivateKey({ key, format: "jwk" });
  const issuer = `http://127.0.0.1:${port}`;
  let people = first;
  let forgery: Forgery | null = null;
  const [{ client_secret: secret = "", client_id: clientId } = { client_id: "" }] = clients;

  const configuration: Configuration = {
    clients,
    jwks: { keys: [{ ...(key as JWK), kid: KID, use: "sig", alg: "RS256" }] },
    cookies: { keys: ["only-for-this-run"] },
    conformIdTokenClaims: false,
    claims: {
      openid: ["sub"],
      profile: ["name", "given_name", "family_name", "role", "organizations"],
      email: ["email", "email_verified"],
    },
    scopes: ["openid", "profile", "email", "offline_access"],
    rotateRefreshToken: true,
    // The library's own refuses addresses of this machine, where the product is.
    fetch: (url, options) => {
      const { dispatcher: _, ...plain } = options as RequestInit & { dispatcher?: unknown };
      return globalThis.fetch(url, plain as RequestInit);
    },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    ttl: { AccessToken: ttl, IdToken: ttl, RefreshToken: 3600, Session: 3600, Interaction: 600, Grant: 3600 },
    findAccount: async (_ctx, id) => ({ accountId: id, claims: async () => ({ sub: id, ...people[id] }) }),
    extraTokenClaims: async (ctx, token) => {
      const { accountId } = token as { accountId?: string };
      const { AuthorizationCode, RefreshToken } = ctx.oidc.entities;
      const sid = AuthorizationCode?.sid ?? RefreshToken?.sid;
      return { ...people[accountId ?? ""], ...(sid ? { sid } : {}) };
    },
    // Whoever signs in has consented: nothing is asked twice.
    loadExistingGrant: async (ctx) => {
      const { client, session, provider } = ctx.oidc;
      if (!client || !session?.accountId) return undefined;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid profile email offline_access");
      for (const resource of [ctx.oidc.params?.["resource"]].flat())
        if (typeof resource === "string")
          grant.addResourceScope(resource, "openid profile email offline_access");
      await grant.save();
      return grant;
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      revocation: { enabled: true },
      userinfo: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: async (ctx, form) => {
          ctx.body = page(
            `${form}<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>`,
          );
        },
      },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_ctx, audience) => ({
          scope: "openid profile email offline_access",
          audience,
          accessTokenFormat: "jwt",
          accessTokenTTL: ttl,
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
  };
  const provider = new Provider(issuer, configuration);
  provider.use(async (ctx, next) => {
    const uid = /^\/interaction\/([^/]+)$/.exec(ctx.path)?.[1];
    if (!uid) {
      await next();
      const body = ctx.body as { id_token?: string } | undefined;
      if (ctx.path === "/token" && forgery && body?.id_token)
        body.id_token = await forged(body.id_token, forgery);
      return;
    }
    if (ctx.method === "GET") {
      ctx.body = page(`<form method="post"><label>Account <input name="account"></label>
        <button name="do" value="sign-in">Sign in</button> <button name="do" value="cancel">Cancel</button></form>`);
      return;
    }
    let text = "";
    for await (const chunk of ctx.req) text += String(chunk);
    const form = new URLSearchParams(text);
    const account = form.get("account") ?? "";
    const result =
      form.get("do") === "cancel" || !(account in people)
        ? { error: "access_denied" }
        : { login: { accountId: account } };
    ctx.respond = false;
    await provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: false });
  });

  async function forged(token: string, how: Forgery): Promise<string> {
    const claims = decodeJwt(token);
    const signed = (changes: JWTPayload, key: KeyObject | Uint8Array = privateKey, alg = "RS256") =>
      new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg, kid: KID }).sign(key);
    const now = Math.floor(Date.now() / 1000);
    switch (how) {
      case "other key":
        return signed({}, other);
      case "no algorithm":
        return new UnsecuredJWT(claims).encode();
      case "shared secret":
        return signed({}, new TextEncoder().encode(secret), "HS256");
      case "other audience":
        return signed({ aud: "somebody-else" });
      case "other issuer":
        return signed({ iss: "https://evil.example" });
      case "expired":
        return signed({ iat: now - 7200, exp: now - 3600 });
      case "other nonce":
        return signed({ nonce: "another" });
    }
  }

  async function sign({ claims, header, key: by }: Extract<Order, { do: "sign" }>): Promise<string> {
    if (by === "none") return new UnsecuredJWT(claims).encode();
    // What everybody can read, used as if it were a secret.
    const publicPem = new TextEncoder().encode(
      String(createPublicKey(privateKey).export({ type: "spki", format: "pem" })),
    );
    const alg = header["alg"] ?? (by === "secret" ? "HS256" : "RS256");
    const kid = by === "unknown" ? "unheard-of" : KID;
    const signer = by === "own" ? privateKey : by === "secret" ? publicPem : other;
    return new SignJWT(claims).setProtectedHeader({ kid, ...header, alg }).sign(signer);
  }

  process.on("message", async ({ id, order }: { id: number; order: Order }) => {
    let answer: unknown = null;
    try {
      if (order.do === "people") people = order.people;
      if (order.do === "forge") forgery = order.forgery;
      if (order.do === "sign") answer = await sign(order);
      if (order.do === "end") {
        const client = await provider.Client.find(clientId);
        await (
          client as unknown as { backchannelLogout(sub: string, sid: string): Promise<void> }
        ).backchannelLogout(order.sub, order.sid);
      }
      process.send?.({ id, answer });
    } catch (error) {
      process.send?.({ id, failed: String(error) });
    }
  });
  provider.listen(port, "127.0.0.1", () => process.send?.({ ready: true }));
}

const page = (body: string) =>
  `<!doctype html><html lang="en"><title>Provider</title><h1>The provider</h1>${body}</html>`;

process.once("message", (settings: Settings) => void main(settings));
process.on("disconnect", () => process.exit());
