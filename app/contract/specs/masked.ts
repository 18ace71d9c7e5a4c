/** A spec without what could be a secret: for those who may look at checks but not change them. Pure. */

export const MASK = "••••••";

/** Words of a key whose value is a secret, whatever the type of check. */
const SECRET =
  /pass(word|wd|phrase)?$|pwd|secret|token(?!url)|credential|api_?key|access_?key|private_?key|session_?key|^(key|cert|certificate|authorization|cookie|dsn)$/i;
/** Lists of a name and a value (facts/engines, EnvVar): any of them may hold one. */
const NAMED_VALUES = /^(env|headers?|params|data|artifacts)$/i;

/**
 * The same spec with its secrets replaced by `MASK`: values under telling names, every inline value of headers and
 * environments, and passwords inside addresses, connection strings and scripts. References (`valueFrom`, `connection`)
 * name a secret and hold none: they stay.
 */
export const masked = (spec: unknown): unknown => inside(spec, false);

function inside(value: unknown, isSecret: boolean): unknown {
  if (typeof value === "string") return isSecret && value !== "" ? MASK : maskedText(value);
  if (typeof value === "number" || typeof value === "boolean") return isSecret ? MASK : value;
  if (Array.isArray(value)) return value.map((part: unknown) => inside(part, isSecret));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]): [string, unknown] => {
      if (key === "valueFrom") return [key, part];
      if (key === "name" && isSecret) return [key, part];
      return [key, inside(part, isSecret || SECRET.test(key) || NAMED_VALUES.test(key))];
    }),
  );
}

/** Passwords that stand inside a text. */
function maskedText(text: string): string {
  return text
    .replace(/(\b[a-z][a-z\d+.-]*:\/\/)[^/@\s'"]+@/gi, `$1${MASK}@`)
    .replace(
      /([?&;\s]|^)((?:[\w-]*(?:password|passwd|pwd|secret|token|api_?key|access_?key|sig|signature))\s*=\s*)("[^"]*"|'[^']*'|[^\s&;'"]+)/gi,
      `$1$2${MASK}`,
    )
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${MASK}`);
}
