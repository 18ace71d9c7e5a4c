import { createHash } from "node:crypto";
import type { Tls } from "./http-exchange.ts";
import { send } from "./http-request.ts";

export interface TokenRequest {
  tokenURL: string;
  clientID: string;
  clientSecret: string;
  scope: readonly string[];
  params: Readonly<Record<string, string>>;
  tls: Tls;
}

/** A token that ends sooner than this, in milliseconds, is not used any more. */
const MARGIN_MS = 10_000;
/** How long a token is waited for, in milliseconds. Ours to choose. */
const PATIENCE_MS = 10_000;
/** Kept at most; the oldest goes. */
const KEPT = 1000;

interface Token {
  value: string;
  /** When to ask for another one, in milliseconds since 1970. */
  until: number;
}
const tokens = new Map<string, Promise<Token>>();

/** What a token is kept under. No secret: it is a hash. */
const keyOf = ({ tls: _, ...request }: TokenRequest) =>
  createHash("sha256").update(JSON.stringify(request)).digest("hex");

/** A token by client credentials, kept until it expires; checks that want the same one at the same time share it. */
export async function tokenFor(request: TokenRequest, now = Date.now): Promise<string> {
  const key = keyOf(request);
  const pending = tokens.get(key);
  const known = pending && (await pending.catch(() => null));
  if (known && known.until > now()) return known.value;
  if (tokens.get(key) !== pending) return tokenFor(request, now); // somebody else asks already
  const asked = fetchToken(request, now);
  tokens.set(key, asked);
  if (tokens.size > KEPT) tokens.delete(tokens.keys().next().value!);
  try {
    return (await asked).value;
  } catch (error) {
    if (tokens.get(key) === asked) tokens.delete(key);
    throw error;
  }
}

/** The server did not take the token: the next run gets another one. */
export function forgetToken(request: TokenRequest): void {
  tokens.delete(keyOf(request));
}

async function fetchToken(request: TokenRequest, now: () => number): Promise<Token> {
  const oauth = await import("oauth4webapi");
  const { tokenURL, clientID, clientSecret, scope, params } = request;
  if (!URL.canParse(tokenURL) || !/^https?:$/.test(new URL(tokenURL).protocol))
    throw new Error("oauth2.tokenURL must be http:// or https:// with a host");
  const server = { issuer: new URL(tokenURL).origin, token_endpoint: tokenURL };
  const client = { client_id: clientID };
  const parameters = { ...params, ...(scope.length > 0 ? { scope: scope.join(" ") } : {}) };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const options = {
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: fetcher(request.tls, signal),
    signal,
  };
  // As the contract's own client does: in the header first, and in the body for servers that want it there.
  const ways = [oauth.ClientSecretBasic(clientSecret), oauth.ClientSecretPost(clientSecret)];
  let refused: unknown;
  for (const way of ways) {
    try {
      const response = await oauth.clientCredentialsGrantRequest(server, client, way, parameters, options);
      const found = await oauth.processClientCredentialsResponse(server, client, response);
      const lives = (found.expires_in ?? 0) * 1000 - MARGIN_MS;
      return { value: found.access_token, until: now() + Math.max(0, lives) };
    } catch (error) {
      if (signal.aborted) throw new Error(`the token URL gave no answer within ${PATIENCE_MS / 1000} s`);
      refused = error;
      if (!isRefusal(error)) break;
    }
  }
  throw new Error(`no token: ${wordsOf(refused)}`);
}

/** The client is not known in this way; perhaps in the other. */
const isRefusal = (error: unknown) =>
  error instanceof Error &&
  "status" in error &&
  (error.status === 401 || ("error" in error && error.error === "invalid_client"));

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { error: code, error_description: words } = error as { error?: string; error_description?: string };
  if (code) return `the token URL refused it (${code}${words ? `: ${words}` : ""})`;
  const { cause } = error;
  if (cause instanceof Response) return `the token URL answered with ${cause.status}`;
  if ("status" in error) return `the token URL answered with ${String(error.status)}`;
  return cause instanceof Error ? cause.message : error.message;
}

/** Requests as ours are: same certificates, same limits. */
const fetcher =
  (tls: Tls, signal: AbortSignal) =>
  async (
    url: string,
    init: { method: string; headers: Record<string, string>; body?: unknown },
  ): Promise<Response> => {
    const body = init.body === undefined || init.body === null ? undefined : String(init.body);
    const answer = await send({
      url: new URL(url),
      method: init.method,
      headers: {
        ...init.headers,
        ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
      },
      ...(body === undefined ? {} : { body }),
      tls,
      signal,
      stopAt: [301, 302, 303, 307, 308], // credentials go to the address that was given
    });
    return new Response(answer.body === "" ? null : answer.body, {
      status: answer.code,
      headers: answer.headers,
    });
  };
