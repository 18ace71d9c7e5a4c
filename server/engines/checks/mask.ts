/** What of a run must not be seen: every secret that was looked up for it. */
export interface Mask {
  /** Remembers a secret, also as URLs, JSON and Base64 have it. */
  conceal(secret: string | undefined): void;
  /** The same value with `***` wherever a text in it has a secret, names of fields included. */
  apply<T>(value: T): T;
}

const MASKED = "***";
/** A shorter secret is masked only where it stands alone: "1" is in every number. Ours to choose. */
const SHORT = 4;

/** One for each run. Without secrets it costs nothing. */
export function createMask(): Mask {
  const secrets = new Set<string>();
  let pattern: RegExp | null = null;

  function conceal(secret: string | undefined): void {
    if (!secret || secret.trim() === "") return;
    const forms = [
      secret,
      encodeURIComponent(secret),
      encodeURI(secret),
      JSON.stringify(secret).slice(1, -1),
      Buffer.from(secret).toString("base64"),
      Buffer.from(secret).toString("base64url"),
    ];
    // Of a text with several lines, such as a key, tools quote single ones.
    const lines = secret.includes("\n") ? secret.split(/\r?\n/).filter((line) => line.length >= 16) : [];
    for (const form of [...forms, ...lines]) secrets.add(form);
    const longestFirst = [...secrets].sort((one, other) => other.length - one.length).map(asPattern);
    pattern = new RegExp(longestFirst.join("|"), "gu");
  }

  function apply<T>(value: T): T {
    return pattern === null ? value : (masked(value, pattern) as T);
  }

  return { conceal, apply };
}

function asPattern(secret: string): string {
  const literal = secret.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  return secret.length >= SHORT ? literal : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`;
}

function masked(value: unknown, pattern: RegExp): unknown {
  if (typeof value === "string") return value.replace(pattern, MASKED);
  if (Array.isArray(value)) return value.map((part) => masked(part, pattern));
  if (value === null || typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name.replace(pattern, MASKED), masked(part, pattern)]),
  );
}
