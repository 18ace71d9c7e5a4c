import type { Receiver, Sender } from "./sender.ts";

const PATIENCE_MS = 10_000;
const isHere = (host: string) => ["localhost", "127.0.0.1", "::1"].includes(host);

/** Plain text over SMTP. With a password the connection must be encrypted, unless it stays on this machine. */
export const email: Sender<Extract<Receiver, { kind: "email" }>> = async (
  { to, smtp },
  { id, message, signal },
) => {
  const { createTransport } = await import("nodemailer"); // only where mail is sent at all
  const { host, port, user, password, from } = smtp;
  const transport = createTransport({
    host,
    port,
    secure: port === 465,
    requireTLS: user !== null && port !== 465 && !isHere(host),
    ...(user === null ? {} : { auth: { user, pass: password ?? "" } }),
    tls: { rejectUnauthorized: !isHere(host) },
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const leave = () => transport.close();
  signal.addEventListener("abort", leave, { once: true });
  try {
    await transport.sendMail({
      from,
      to,
      subject: message.title.replace(/\s+/g, " "),
      text: message.body,
      messageId: `<${id}@pilothouse>`,
      headers: { "Auto-Submitted": "auto-generated" },
    });
  } finally {
    signal.removeEventListener("abort", leave);
    transport.close();
  }
};
