/** What the checks have in common that speak HTTP: address, credentials and certificates, inline or of a connection. */
import { createSecureContext } from "node:tls";
import type { Connection, RunContext } from "../runner.ts";
import type { Tls } from "./http-exchange.ts";
import type { NtlmLogin } from "./http-ntlm.ts";
import { send, type HttpAnswer } from "./http-request.ts";
import { forgetToken, tokenFor, type TokenRequest } from "./http-token.ts";

interface TlsSpec {
  insecureSkipVerify?: boolean | undefined;
  handshakeTimeout?: number | undefined;
  ca?: string | undefined;
  cert?: string | undefined;
  key?: string | undefined;
}
interface OAuthSpec {
  tokenURL: string;
  clientID?: string | undefined;
  clientSecret?: string | undefined;
  scope?: string[] | undefined;
  params?: Record<string, string> | undefined;
}
/** The parts of a spec that say where to, who asks and whom to trust (app/contract/specs/checks/web.ts). */
interface WebSpec {
  url?: string | undefined;
  connection?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
  bearer?: string | undefined;
  oauth2?: OAuthSpec | undefined;
  tlsConfig?: TlsSpec | undefined;
  ntlm?: boolean;
  ntlmv2?: boolean;
}

export interface Site {
  url: URL;
  ask(request: {
    /** Below the address; the address itself unless given. */
    url?: URL;
    method?: string;
    headers?: Record<string, string>;
    body?: string;
    stopAt?: readonly number[];
    signal?: AbortSignal;
  }): Promise<HttpAnswer>;
  /** Gets what must be there before a request, such as a token. Its time is not the answer's. */
  prepare(): Promise<void>;
}

/** The site that a spec is about; a sentence when there is none. Values are filled into the address. */
export async function siteOf(
  spec: WebSpec,
  context: RunContext,
  values: Record<string, string> = {},
): Promise<Site | string> {
  const stored = spec.connection ? await context.connection(spec.connection) : undefined;
  const username = spec.username ?? stored?.username;
  const password = spec.password ?? stored?.password;
  const { url: address } = await context.render(
    { url: spec.url ?? stored?.url ?? "" },
    {
      ...values,
      ...(username === undefined ? {} : { username: encodeURIComponent(username) }),
      ...(password === undefined ? {} : { password: encodeURIComponent(password) }),
    },
  );
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === "")
    return `url "${spec.url ?? spec.connection}" must be http:// or https:// with a host`;

  const tls = tlsOf(spec.tlsConfig ?? {}, stored);
  if (typeof tls === "string") return tls;
  const bearer = spec.bearer ?? (spec.oauth2 ? undefined : stored?.properties?.["bearer"]);
  const oauth = bearer ? null : oauthOf(spec.oauth2, stored, { username, password, tls });
  const ntlm = ntlmOf(spec, username, password, stored?.properties?.["domain"]);
  const basic =
    bearer || oauth || ntlm || (username === undefined && password === undefined)
      ? null
      : `Basic ${Buffer.from(`${username ?? ""}:${password ?? ""}`).toString("base64")}`;
  let authorization = bearer ? `Bearer ${bearer}` : basic;
  if (basic) context.conceal(basic.slice("Basic ".length));

  return {
    url,
    async prepare() {
      if (!oauth) return;
      const token = await tokenFor(oauth);
      context.conceal(token);
      authorization = `Bearer ${token}`;
    },
    async ask({ url: at = url, method = "GET", headers = {}, body, stopAt = [], signal = context.signal }) {
      const answer = await send({
        url: at,
        method,
        headers: {
          "user-agent": "pilothouse",
          accept: "*/*",
          ...(authorization ? { authorization } : {}),
          ...headers,
          ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
        },
        ...(body === undefined ? {} : { body }),
        tls,
        signal,
        stopAt,
        ...(ntlm ? { ntlm } : {}),
      });
      if (answer.code === 401 && oauth) forgetToken(oauth);
      return answer;
    },
  };
}

function ntlmOf({ ntlm, ntlmv2 }: WebSpec, name = "", password = "", domain = ""): NtlmLogin | null {
  const username = domain === "" || name.includes("\\") ? name : `${domain}\\${name}`;
  return ntlm || ntlmv2 ? { username, password, onlyV2: ntlmv2 === true && !ntlm } : null;
}

/** Of the spec, else of the connection's properties. */
function oauthOf(
  given: OAuthSpec | undefined,
  stored: Connection | undefined,
  { username = "", password = "", tls }: { username?: string; password?: string; tls: Tls },
): TokenRequest | null {
  const properties = stored?.properties ?? {};
  const tokenURL = given?.tokenURL ?? properties["tokenURL"];
  if (!tokenURL) return null;
  const scopes = properties["scopes"] ?? properties["scope"] ?? "";
  return {
    tokenURL,
    clientID: given?.clientID ?? properties["clientID"] ?? username,
    clientSecret: given?.clientSecret ?? properties["clientSecret"] ?? password,
    scope: given?.scope ?? scopes.split(/[\s,]+/).filter((scope) => scope !== ""),
    params: given?.params ?? {},
    tls,
  };
}

/** Read at once, so that a certificate that is none is said to be so. */
function tlsOf(given: TlsSpec, stored: Connection | undefined): Tls | string {
  const { insecureSkipVerify = false, handshakeTimeout, ca, cert, key } = given;
  const tls: Tls = {
    rejectUnauthorized: !(insecureSkipVerify || stored?.insecureTls),
    ...(handshakeTimeout === undefined ? {} : { handshakeTimeoutMs: handshakeTimeout * 1000 }),
  };
  if (!ca && !cert && !key) return tls;
  if (ca && !ca.includes("-----BEGIN CERTIFICATE")) return "tlsConfig: ca must be a certificate in PEM";
  if (!cert !== !key) return "tlsConfig: cert and key go together";
  try {
    return { ...tls, secureContext: createSecureContext({ ca, cert, key }) };
  } catch (error) {
    const words = error instanceof Error ? error.message.replace(/^error:\w+:/, "") : String(error);
    return `tlsConfig: cert and key cannot be read, they must be PEM (${words})`;
  }
}
