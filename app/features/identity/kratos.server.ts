import { Configuration, FrontendApi } from "@ory/client";
import { env } from "#app/lib/env.server.ts";
import { relayedCookies } from "#app/lib/identity-cookies.ts";
import { countedCall } from "#app/lib/scope.server.ts";
import { identityHeaders, identityUrl, upstreamAway } from "#app/lib/upstream.server.ts";
import type { FlowAnswer } from "./flow-problem.ts";

/** Longest wait for the identity service, ms; hashing a password is part of it. */
const TIMEOUT_MS = 30_000;

/** What a call of the identity service brought: its data, and the cookies to relay to the browser as they come. */
export interface Answered<T> {
  data: T;
  cookies: string[];
}
type Call<T> = (api: FrontendApi) => Promise<{ data: T; headers: object }>;

/** The identity service said no. Its cookies still count: it may have given a session on the way to a redirect. */
export class FlowRefusal extends Error implements FlowAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly cookies: string[];
  constructor(status: number, body: unknown, cookies: string[]) {
    super(`The identity service answered ${status}.`);
    this.status = status;
    this.body = body;
    this.cookies = cookies;
  }
}

/**
 * Calls the identity service as the browser of the request: with its cookies, asking for JSON instead of redirects.
 * Throws `FlowRefusal` for an answer that is not a success, and the "upstream is away" Response when there is none.
 */
export async function askKratos<T>(request: Request, call: Call<T>): Promise<Answered<T>> {
  const api = new FrontendApi(
    new Configuration({
      basePath: identityUrl(),
      baseOptions: {
        timeout: TIMEOUT_MS,
        maxRedirects: 0,
        proxy: false,
        signal: request.signal,
        headers: { accept: "application/json", ...identityHeaders(request) },
      },
    }),
  );
  try {
    const { data, headers } = await countedCall(() => call(api));
    return { data, cookies: cookiesOf(headers) };
  } catch (error) {
    if (request.signal.aborted) throw error;
    const answer = answerOf(error);
    if (!answer) throw upstreamAway(request, error);
    if (answer.status >= 502) throw upstreamAway(request, error);
    throw new FlowRefusal(answer.status, answer.data, cookiesOf(answer.headers));
  }
}

/** The client library throws errors that carry the answer; one without it means that there was none. */
function answerOf(error: unknown): { status: number; data: unknown; headers: object } | null {
  const response = (error as { response?: { status?: unknown; data?: unknown; headers?: object } } | null)
    ?.response;
  if (typeof response?.status !== "number") return null;
  return { status: response.status, data: response.data, headers: response.headers ?? {} };
}

function cookiesOf(headers: object): string[] {
  const lines = (headers as { "set-cookie"?: unknown })["set-cookie"];
  const given = Array.isArray(lines) ? lines.filter((line): line is string => typeof line === "string") : [];
  return env().kratosUrl ? relayedCookies(given, { secure: env().isSecure }) : given;
}
