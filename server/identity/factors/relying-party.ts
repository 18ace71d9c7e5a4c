/** Which site a security key or passkey is for: the name it is bound to, and the addresses its answers may come from. */

export interface RelyingParty {
  /** The host name alone; keys are bound to it. */
  id: string;
  /** What browsers may say where they were; scheme, name and port. */
  origins: string[];
}

/** Written by the web's preload: the Host the browser asked for. */
export const HOST_HEADER = "x-ph-host";

/**
 * From PUBLIC_URL, else from the host the browser asked for. Trusting that is safe: a browser lets a page use only keys
 * of its own name, and a key is checked against the name it was made for. Null where browsers have no keys: by plain
 * http (but at this machine itself), and under a bare address.
 */
export function relyingParty(publicUrl: string | null, headers: Headers): RelyingParty | null {
  const origins = publicUrl ? [publicUrl] : guessed(headers.get(HOST_HEADER) ?? headers.get("host") ?? "");
  const urls = origins.filter((origin) => URL.canParse(origin)).map((origin) => new URL(origin));
  const usable = urls.filter(({ protocol, hostname }) => protocol === "https:" || isLocal(hostname));
  const [first] = usable;
  if (!first || isAddress(first.hostname)) return null;
  return { id: first.hostname, origins: usable.map(({ origin }) => origin) };
}

/** Without PUBLIC_URL nobody says whether a proxy in front speaks https. */
const guessed = (host: string) =>
  /^[a-z0-9.-]+(:\d{1,5})?$/i.test(host) ? [`https://${host}`, `http://${host}`] : [];
const isLocal = (name: string) => name === "localhost" || name.endsWith(".localhost");
const isAddress = (name: string) => name.startsWith("[") || /^[\d.]+$/.test(name);
