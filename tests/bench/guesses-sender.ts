/** Somebody who fills in sign-in forms from an address of his own: a real socket bound to it. */
import { Agent, request } from "node:http";

export type Outcome = "in" | "judged" | "refused" | "other";

interface Reply {
  status: number;
  cookies: string[];
  body: string;
}

const JUDGED = 4_000_006;
const REFUSED = 4_000_001;

export interface Form {
  method: string;
  [field: string]: unknown;
}

export function newSender(base: string, localAddress: string, prefix = "/api/.ory") {
  const root = new URL(base);
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress });
  const jar = new Map<string, string>();
  let flow: { id: string; csrf: string } | null = null;

  function call(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body);
      const sent = request(
        {
          agent,
          hostname: root.hostname,
          port: root.port,
          method,
          path: prefix + path,
          headers: {
            accept: "application/json",
            cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
            origin: root.origin,
            ...(text
              ? { "content-type": "application/json", "content-length": Buffer.byteLength(text) }
              : {}),
            ...headers,
          },
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on("data", (chunk: Buffer) => chunks.push(chunk));
          answer.on("end", () => {
            const cookies = answer.headers["set-cookie"] ?? [];
            for (const line of cookies) {
              const [pair = ""] = line.split(";");
              jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
            }
            resolve({ status: answer.statusCode ?? 0, cookies, body: Buffer.concat(chunks).toString() });
          });
          answer.on("error", reject);
        },
      );
      sent.on("error", reject);
      sent.end(text);
    });
  }

  async function begin(kind: string, headers?: Record<string, string>) {
    const { body } = await call("GET", `/self-service/${kind}/browser`, undefined, headers);
    const { id, ui } = JSON.parse(body) as {
      id: string;
      ui: { nodes: { attributes: { name?: string; value?: string } }[] };
    };
    const csrf = ui.nodes.find(({ attributes }) => attributes.name === "csrf_token")?.attributes.value ?? "";
    return { id, csrf };
  }

  async function login(identifier: string, password: string): Promise<Outcome> {
    flow ??= await begin("login");
    const form = { method: "password", identifier, password, csrf_token: flow.csrf };
    const { status, body } = await call("POST", `/self-service/login?flow=${flow.id}`, form);
    if (status === 200) {
      flow = null;
      return "in";
    }
    if (status !== 400) flow = null; // it was too old, or is gone
    const id = (JSON.parse(body) as { ui?: { messages?: { id: number }[] } }).ui?.messages?.[0]?.id;
    return id === JUDGED ? "judged" : id === REFUSED ? "refused" : "other";
  }

  return {
    call,
    begin,
    guess: login,
    signIn: login,
    /** Forgets the session as a browser does whose session has ended; what it is known by stays. */
    signOut: () => jar.delete("ory_kratos_session"),
    close: () => agent.destroy(),
  };
}

export type Sender = ReturnType<typeof newSender>;
