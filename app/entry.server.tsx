import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import {
  createReadableStreamFromReadable,
  type EntryContext,
  type HandleDataRequestFunction,
  type HandleErrorFunction,
} from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToPipeableStream } from "react-dom/server";
import { drawSignIn } from "#app/features/identity/sign-in-again.server.ts";
import { parseCookies } from "#app/lib/cookies.ts";
import { finishPage, pagePolicy } from "#app/lib/headers.server.ts";
import { scope } from "#app/lib/scope.server.ts";
import { drawSignInWith } from "#app/lib/signed-out.server.ts";
import { wordsOf } from "#app/lib/upstream.server.ts";
import { NonceProvider } from "#app/ui/frame/nonce.ts";

/** A promise in a loader's data may take this long, ms; the rendering itself a second more. */
export const streamTimeout = 5_000;

drawSignInWith(drawSignIn);

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const nonce = randomBytes(16).toString("base64");
  const { promise, resolve, reject } = deferred<Response>();
  let answered = status;

  const send = () => {
    const body = new PageBody();
    finishPage(headers);
    headers.set("Content-Type", "text/html; charset=utf-8");
    headers.set("Content-Security-Policy", pagePolicy(nonce, { isDevelopment: import.meta.env.DEV }));
    resolve(new Response(createReadableStreamFromReadable(body), { headers, status: answered }));
    pipe(body as unknown as NodeJS.WritableStream);
  };
  // Streamed parts are put in their places by scripts: whoever runs none gets the page when it is complete.
  const runsScripts = parseCookies(request.headers.get("cookie")).get("js") === "1";
  let isSent = false;
  const { pipe, abort } = renderToPipeableStream(
    <NonceProvider value={nonce}>
      <RemixServer context={context} url={request.url} abortDelay={streamTimeout} nonce={nonce} />
    </NonceProvider>,
    {
      nonce,
      [runsScripts ? "onShellReady" : "onAllReady"]: () => {
        isSent = true;
        send();
      },
      onShellError: reject,
      onError(error) {
        answered = 500;
        if (isSent) report(error, request); // before, the error reaches handleError through onShellError
      },
    },
  );
  setTimeout(abort, streamTimeout + 1_000).unref(); // must not keep a stopping process alive
  return promise;
}

export const handleDataRequest: HandleDataRequestFunction = (response) => {
  const headers = new Headers(response.headers);
  finishPage(headers);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
};

/** Called by Remix for every error that nobody expected; the page shows the id of the report and no words. */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted) return; // the reader left
  if (isRouteErrorResponse(error) && error.status < 500) return; // an unknown address is no failure
  report(error, request);
};

/**
 * React writes 2 kB at a time and calls `flush` when a part is complete. Every chunk that leaves us is compressed and sent
 * by itself, so whole parts leave: a page is a fifth of the bytes and markedly less work (docs/decisions/0062). What React
 * needs of a writer is little; a stream's own would cost each of those writes its queues.
 */
class PageBody extends Readable {
  #pieces: Uint8Array[] = [];

  override _read(): void {} // it is pushed
  write(piece: Uint8Array): boolean {
    this.#pieces.push(piece);
    return true;
  }
  flush(): void {
    if (this.#pieces.length > 0) this.push(Buffer.concat(this.#pieces));
    this.#pieces = [];
  }
  end(): void {
    this.flush();
    this.push(null);
  }
}

function report(error: unknown, { method, url }: Request): void {
  const words = error instanceof Error ? (error.stack ?? wordsOf(error)) : wordsOf(error);
  scope().report({ status: 500, method, path: new URL(url).pathname, error: words });
}

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
