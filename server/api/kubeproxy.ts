/**
 * `/kubeproxy/*` (facts: backend §6.8): the Kubernetes API behind the installation, for those who may write. The caller's
 * own credentials stay here; the cluster sees our service account acting for `mission-control-writer`.
 */
import { readFile } from "node:fs/promises";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { Readable } from "node:stream";
import { may } from "#app/contract/access.ts";
import type { ApiContext, Route } from "./router.ts";

export interface KubernetesSettings {
  /** The root of the API (KUBERNETES_API), without a trailing slash. */
  api: string;
  /** A file with the service account's token, read anew for each call: clusters renew it. */
  tokenFile: string;
  /** The authority the API's certificate is from; null: those of the system. */
  caFile: string | null;
}

/** Silence that ends a call, in milliseconds: a watch says something now and then. */
const SILENCE_MS = 600_000;
/** Whom the cluster sees (facts: backend §6.8). */
const WRITER = "mission-control-writer";
/** What of the caller's headers is the cluster's business. Impersonation is ours alone. */
const FORWARDED = ["accept", "accept-encoding", "content-type", "content-length", "user-agent"];
const KEPT_BACK = new Set(["connection", "keep-alive", "transfer-encoding", "upgrade", "set-cookie"]);

export function kubeproxyRoutes(kubernetes: KubernetesSettings | null): Route[] {
  return ["/kubeproxy", "/kubeproxy/*"].map((path) => ({
    method: "ALL",
    path,
    who: "signed-in",
    handler: (c) => {
      if (!may(c.get("principal").roles, "write:database"))
        return refusal(c, 403, "Forbidden", "Your role may not use the Kubernetes API: it takes an editor.");
      if (!kubernetes)
        return refusal(
          c,
          501,
          "NotImplemented",
          "No Kubernetes API is configured behind this installation: KUBERNETES_API says where it is.",
        );
      const target = (c.env.incoming.url ?? "").slice("/kubeproxy".length) || "/";
      if (!/^[/?]/.test(target) || /(^|\/|%2f)(\.|%2e){2}(\/|%2f|\?|$)/i.test(target))
        return refusal(c, 400, "BadRequest", "The path must begin with / and hold no .. in it.");
      if (c.req.header("upgrade"))
        return refusal(c, 501, "NotImplemented", "exec, attach and port-forward do not pass through here.");
      return forward(c, kubernetes, target);
    },
  }));
}

/** A refusal as Kubernetes words it, so that kubectl shows the sentence; `error` is the contract's own field. */
function refusal(c: ApiContext, code: 400 | 403 | 501 | 502, reason: string, message: string): Response {
  return c.json(
    {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message,
      reason,
      code,
      error: message,
    },
    code,
  );
}

async function forward(c: ApiContext, { api, tokenFile, caFile }: KubernetesSettings, target: string) {
  try {
    const [token, ca] = await Promise.all([
      readFile(tokenFile, "utf8"),
      caFile === null ? undefined : readFile(caFile, "utf8"),
    ]);
    const headers: Record<string, string> = {
      authorization: `Bearer ${token.trim()}`,
      "impersonate-user": WRITER,
    };
    for (const name of FORWARDED) {
      const value = c.req.header(name);
      if (value !== undefined) headers[name] = value;
    }
    const answer = await ask(new URL(api), target, { headers, ca, request: c.req.raw });
    return answerOf(answer);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return refusal(c, 502, "BadGateway", `The Kubernetes API cannot be reached: ${words}.`);
  }
}

interface Asked {
  headers: Record<string, string>;
  ca: string | undefined;
  request: Request;
}

/** Node's own client, because fetch takes no authority of certificates and would rewrite the target. */
function ask(root: URL, target: string, { headers, ca, request }: Asked): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const open = root.protocol === "https:" ? requestHttps : requestHttp;
    const call = open(
      {
        protocol: root.protocol,
        hostname: root.hostname.replace(/^\[|\]$/g, ""),
        port: root.port,
        path: root.pathname.replace(/\/$/, "") + target,
        method: request.method,
        headers,
        timeout: SILENCE_MS,
        signal: request.signal,
        ...(ca === undefined ? {} : { ca }),
      },
      resolve,
    );
    call.on("timeout", () => call.destroy(new Error("it was silent for too long")));
    call.on("error", reject);
    if (request.body && headers["content-length"] !== "0")
      Readable.fromWeb(request.body as Parameters<typeof Readable.fromWeb>[0])
        .on("error", reject)
        .pipe(call);
    else call.end();
  });
}

const BODILESS = new Set([204, 205, 304]);

function answerOf(answer: IncomingMessage): Response {
  const headers = new Headers();
  for (let index = 0; index + 1 < answer.rawHeaders.length; index += 2) {
    const [name = "", value = ""] = answer.rawHeaders.slice(index, index + 2);
    if (!KEPT_BACK.has(name.toLowerCase())) headers.append(name, value);
  }
  const status = answer.statusCode ?? 502;
  if (BODILESS.has(status)) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  return new Response(Readable.toWeb(answer) as ReadableStream<Uint8Array>, { status, headers });
}
