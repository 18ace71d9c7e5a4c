import { Agent as HttpAgent, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { exchange, type Exchanged, type HttpRequest } from "./http-exchange.ts";

export interface NtlmLogin {
  /** Also as `DOMAIN\name`. */
  username: string;
  password: string;
  /** A server that offers only the first version is refused. */
  onlyV2: boolean;
}

type Messages = typeof import("httpntlm/ntlm.js");

const MEGABYTE = 1024 * 1024;

/**
 * The request as somebody whom the server knows by NTLM: it says what it wants, is challenged and answers, all over one
 * connection, for that is what NTLM signs in. A server that asks for nothing, or not for NTLM, has given its answer.
 */
export async function exchangeWithNtlm(request: HttpRequest, login: NtlmLogin): Promise<Exchanged> {
  const messages = await import("httpntlm/ntlm.js");
  const Agent = request.url.protocol === "https:" ? HttpsAgent : HttpAgent;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const [, domain = "", username = login.username] = /^([^\\]*)\\(.*)$/s.exec(login.username) ?? [];
  const who = { username, password: login.password, domain, workstation: "" };
  const ask = (authorization: string, body?: string) =>
    exchange(
      {
        ...request,
        headers: {
          ...request.headers,
          authorization,
          connection: "keep-alive",
          "content-length": body === undefined ? 0 : Buffer.byteLength(body),
        },
        body,
      },
      agent,
    );
  try {
    const first = await ask(messages.createType1Message({ domain, workstation: "" }));
    const challenge = challengeOf(first.response);
    if (first.response.statusCode === 401 && challenge === null) return ending(first, agent);
    await drain(first.response);
    if (challenge === null) return ending(await exchange(request), agent); // it asks nobody who they are
    const parsed = read(messages, challenge);
    if (login.onlyV2 && !parsed.targetInfo)
      throw new Error("the server offers only the first version of NTLM, and ntlmv2 is wanted");
    return ending(await ask(messages.createType3Message(parsed, who), request.body), agent);
  } catch (error) {
    agent.destroy();
    throw error;
  }
}

/** The message of the server, when the answer is a challenge. */
function challengeOf({ statusCode, headers }: IncomingMessage): string | null {
  const offers = headers["www-authenticate"] ?? "";
  const [message] = /NTLM [A-Za-z0-9+/=]+/.exec(offers) ?? [];
  return statusCode === 401 && message !== undefined ? message : null;
}

function read(messages: Messages, challenge: string): { targetInfo?: Buffer } {
  let parsed: { targetInfo?: Buffer } | null = null;
  try {
    parsed = messages.parseType2Message(challenge, () => undefined);
  } catch {
    // A message that ends before its own lengths say so.
  }
  if (!parsed) throw new Error("the server's NTLM challenge cannot be read");
  return parsed;
}

/** The connection ends with the answer. */
function ending(exchanged: Exchanged, agent: HttpAgent | HttpsAgent): Exchanged {
  exchanged.response.once("close", () => agent.destroy());
  return exchanged;
}

/** Reads an answer nobody needs, so that the connection can be used again. */
async function drain(response: IncomingMessage): Promise<void> {
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MEGABYTE) throw new Error("the server answers NTLM with a body that does not end");
  }
}
