import { Agent, request } from "node:http";

export const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

interface Call {
  method?: string;
  headers: Record<string, string>;
  body?: string;
}
export interface Answer {
  status: number;
  cookies: string[];
  text: string;
}
const agent = new Agent({ keepAlive: true });

/** An answer that came whole within the limit, else null. Sends once: a lost request stays lost. */
export function ask(url: string, { method = "GET", headers, body }: Call, limitMs: number) {
  return new Promise<Answer | null>((done) => {
    let text = "";
    const call = request(url, { method, headers, agent }, (response) => {
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.once("end", () => {
        const cookies = (response.headers["set-cookie"] ?? []).map((line) => line.split(";")[0] ?? "");
        finish({ status: response.statusCode ?? 0, cookies, text });
      });
      response.once("close", () => finish(null));
    });
    const timer = setTimeout(() => finish(null), limitMs);
    let isDone = false;
    function finish(answer: Answer | null): void {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      if (answer === null) call.destroy();
      done(answer);
    }
    call.once("error", () => finish(null)).end(body);
  });
}

/** A form as a browser without scripts posts it. */
export const postForm = (url: string, cookie: string, fields: Record<string, string>) =>
  ask(
    url,
    {
      method: "POST",
      headers: {
        cookie,
        origin: new URL(url).origin,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams(fields).toString(),
    },
    10_000,
  );

export const postJson = (url: string, cookie: string, value: object) =>
  ask(
    url,
    {
      method: "POST",
      headers: { cookie, origin: new URL(url).origin, "content-type": "application/json" },
      body: JSON.stringify(value),
    },
    10_000,
  );
