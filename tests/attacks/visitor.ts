/** A browser's script that speaks the identity service's API through a running product: a cookie jar and JSON. */
interface Node {
  attributes: { name?: string; value?: unknown; id?: string; text?: { text: string; context?: unknown } };
}
export interface FlowAnswer {
  status: number;
  id: string;
  nodes: Node[];
  messages: number[];
  body: Record<string, unknown>;
}

export function newVisitor(url: string) {
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");

  async function call(method: string, path: string, body?: object) {
    const response = await fetch(`${url}/api/.ory${path}`, {
      method,
      redirect: "manual",
      headers: {
        accept: "application/json",
        origin: url,
        cookie: cookie(),
        ...(body ? { "content-type": "application/json" } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const at = pair.indexOf("=");
      if (/max-age=0/i.test(line)) jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const text = await response.text();
    return { status: response.status, body: (text ? JSON.parse(text) : {}) as Record<string, unknown> };
  }

  const flowOf = ({ status, body }: Awaited<ReturnType<typeof call>>): FlowAnswer => {
    const ui = (body["ui"] ?? {}) as {
      nodes?: (Node & { messages?: { id: number }[] })[];
      messages?: { id: number }[];
    };
    const nodes = ui.nodes ?? [];
    const messages = [...(ui.messages ?? []), ...nodes.flatMap((node) => node.messages ?? [])].map(
      ({ id }) => id,
    );
    return { status, id: typeof body["id"] === "string" ? body["id"] : "", nodes, messages, body };
  };
  const csrfOf = (flow: FlowAnswer) =>
    String(flow.nodes.find(({ attributes }) => attributes.name === "csrf_token")?.attributes.value ?? "");

  const begin = async (kind: string, query = "") =>
    flowOf(await call("GET", `/self-service/${kind}/browser${query}`));
  const send = async (kind: string, flow: FlowAnswer, form: object) =>
    flowOf(
      await call("POST", `/self-service/${kind}?flow=${flow.id}`, { csrf_token: csrfOf(flow), ...form }),
    );

  return {
    jar,
    cookie,
    call,
    begin,
    send,
    /** Another script of the same browser, perhaps by another web: its cookies from now on. */
    copy(at = url) {
      const other = newVisitor(at);
      for (const [name, value] of jar) other.jar.set(name, value);
      return other;
    },
    async signIn(identifier: string, password: string) {
      return send("login", await begin("login"), { method: "password", identifier, password });
    },
    whoami: async () => (await call("GET", "/sessions/whoami")).status,
  };
}

export type Visitor = ReturnType<typeof newVisitor>;
