/** From what a rule says to where a message goes. Pure, but for looking a connection up. */
import type { Receiver, Smtp } from "./senders/index.ts";

/** One entry of `custom_services`, its address in clear. */
export interface Service {
  name?: string | null;
  connection?: string | null;
  url?: string | null;
  properties?: Record<string, unknown> | null;
}
interface Means {
  /** The product's own mail server; null when none is configured. */
  smtp: Smtp | null;
  /** The address of a stored connection; throws a sentence when there is none. */
  connectionUrl(reference: string): Promise<string>;
}

const NO_SMTP = "no mail server is configured: set SMTP_HOST and SMTP_FROM";
const UNKNOWN =
  "the address must begin with https://, http://, slack+https://, generic+https://, smtp:// or mailto:";

/** Where a message to a person goes. Throws a sentence. */
export function personReceiver(address: string | null, smtp: Smtp | null): Receiver {
  if (!address) throw new Error("the person has no e-mail address");
  if (!smtp) throw new Error(NO_SMTP);
  return { kind: "email", to: [address], smtp };
}

/** Where a message to a service goes: its connection's address, or its own. Throws a sentence without the address. */
export async function serviceReceiver(service: Service, means: Means): Promise<Receiver> {
  const url = service.connection ? await means.connectionUrl(service.connection) : (service.url ?? "");
  if (/^mailto:/i.test(url)) {
    if (!means.smtp) throw new Error(NO_SMTP);
    return {
      kind: "email",
      to: addresses(decodeURIComponent(url.slice("mailto:".length))),
      smtp: means.smtp,
    };
  }
  const [, prefix = "", rest = ""] = /^(slack\+|generic\+)?(https?:\/\/.+)$/i.exec(url) ?? [];
  if (rest !== "" && URL.canParse(rest))
    return { kind: prefix.toLowerCase() === "slack+" || isSlack(rest) ? "slack" : "webhook", url: rest };
  if (/^smtps?:\/\//i.test(url) && URL.canParse(url)) return mail(new URL(url), service, means.smtp);
  throw new Error(UNKNOWN);
}

const isSlack = (url: string) => new URL(url).hostname === "hooks.slack.com";

/** `smtp://user:password@host:port/?from=…&to=…`; who is written to may stand in the entry's properties instead. */
function mail(url: URL, { properties }: Service, own: Smtp | null): Receiver {
  const query = new Map([...url.searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  const user = decodeURIComponent(url.username) || null;
  const from =
    query.get("from") ?? query.get("fromaddress") ?? own?.from ?? (user?.includes("@") ? user : null);
  if (!from) throw new Error("the mail connection says no sender: add ?from= to its address");
  return {
    kind: "email",
    to: addresses(String(properties?.["to"] ?? query.get("to") ?? query.get("toaddresses") ?? "")),
    smtp: {
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: Number(url.port) || (url.protocol === "smtps:" ? 465 : 587),
      user,
      password: decodeURIComponent(url.password) || null,
      from,
    },
  };
}

function addresses(text: string): string[] {
  const all = text.split(/[,;]/).map((part) => part.trim());
  const found = all.filter((part) => /^[^\s@<>]+@[^\s@<>]+$/.test(part));
  if (found.length === 0 || found.length < all.filter(Boolean).length)
    throw new Error("the e-mail address must be like name@example.com, several with commas between them");
  return found;
}
