/** Mail over SMTP, for whoever in the product sends any. */

/** A mail server. Secret: never logged, never stored. */
export interface Smtp {
  host: string;
  port: number;
  user: string | null;
  password: string | null;
  /** The sender: an address, or `Name <address>`. */
  from: string;
}

export interface Letter {
  /** The same for every attempt: receivers know by it that they have seen it. */
  id: string;
  to: string[];
  subject: string;
  text: string;
  html?: string;
}

const PATIENCE_MS = 10_000;
const isHere = (host: string) => ["localhost", "127.0.0.1", "::1"].includes(host);

/**
 * Sends one letter, or throws what the mail server said. With a password the connection must be encrypted, unless it
 * stays on this machine. The signal ends the attempt.
 */
export async function sendLetter(smtp: Smtp, letter: Letter, signal: AbortSignal): Promise<void> {
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
      to: letter.to,
      subject: letter.subject.replace(/\s+/g, " "),
      text: letter.text,
      ...(letter.html !== undefined && { html: letter.html }),
      messageId: `<${letter.id}@pilothouse>`,
      headers: { "Auto-Submitted": "auto-generated" },
    });
  } finally {
    signal.removeEventListener("abort", leave);
    transport.close();
  }
}
