import {
  request as requestHttp,
  type Agent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from "node:http";
import { request as requestHttps } from "node:https";
import type { SecureContext, TLSSocket } from "node:tls";

export interface Tls {
  rejectUnauthorized: boolean;
  /** Certificate authority, client certificate and key, read already. */
  secureContext?: SecureContext;
  handshakeTimeoutMs?: number;
}

export interface HttpRequest {
  url: URL;
  method: string;
  headers: OutgoingHttpHeaders;
  body?: string;
  tls: Tls;
  signal: AbortSignal;
}

export interface Exchanged {
  response: IncomingMessage;
  /** When the server's certificate expires; null without TLS. */
  expires: Date | null;
}

/** One request and its answer, over a connection of its own unless the agent keeps one. The body is not read yet. */
export function exchange(request: HttpRequest, agent: Agent | false = false): Promise<Exchanged> {
  const { url, method, headers, body, signal, tls } = request;
  const { handshakeTimeoutMs, ...trust } = tls;
  return new Promise((done, fail) => {
    const options = { method, headers, signal, agent };
    const sent =
      url.protocol === "https:" ? requestHttps(url, { ...options, ...trust }) : requestHttp(url, options);
    sent.once("error", fail);
    sent.once("socket", (socket) => {
      if (url.protocol !== "https:" || !handshakeTimeoutMs || sent.reusedSocket) return;
      const late = () => sent.destroy(new Error(`the TLS handshake took more than ${handshakeTimeoutMs} ms`));
      const timer = setTimeout(late, handshakeTimeoutMs);
      socket.once("secureConnect", () => clearTimeout(timer)).once("close", () => clearTimeout(timer));
    });
    sent.once("response", (response) => done({ response, expires: expiry(response) }));
    sent.end(body);
  });
}

function expiry(response: IncomingMessage): Date | null {
  if (!("getPeerCertificate" in response.socket)) return null;
  const until = (response.socket as TLSSocket).getPeerCertificate().valid_to;
  return until ? new Date(until) : null;
}
