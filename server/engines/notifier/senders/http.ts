import type { Receiver, Sender, Sending } from "./sender.ts";

/** Characters that Slack's text takes for its own. */
const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** The event as JSON, for programs. */
export const webhook: Sender<Extract<Receiver, { kind: "webhook" }>> = ({ url }, sending) => {
  const { id, subject, message } = sending;
  const { check, durationMs, ...facts } = subject;
  const status =
    subject.event === "check.passed" ? "healthy" : subject.event === "test" ? "test" : "unhealthy";
  return post(url, { id, ...message, status, check, ...facts, duration_ms: durationMs }, sending);
};

/** What Slack and those who took over its webhooks (Mattermost, Rocket.Chat, Discord's /slack) read. */
export const slack: Sender<Extract<Receiver, { kind: "slack" }>> = ({ url }, sending) => {
  const { title, body } = sending.message;
  const mark = { "check.failed": ":red_circle:", "check.passed": ":large_green_circle:", test: ":bell:" };
  const text = `${mark[sending.subject.event]} *${escaped(title)}*\n${escaped(body)}`;
  return post(url, { text, username: "Pilothouse" }, sending);
};

async function post(url: string, body: object, { id, signal }: Sending): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": id, "user-agent": "Pilothouse" },
    body: JSON.stringify(body),
    redirect: "manual", // what is sent is for this address only
    signal,
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the receiver answered ${response.status}`);
}
