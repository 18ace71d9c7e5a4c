/** Tokens that stand in addresses: a heartbeat's in its path, a webhook's in its query. */
const IN_ADDRESSES: readonly [RegExp, string][] = [
  [/(canary(?:\/|%2F)heartbeat(?:\/|%2F))[^/?#\s"'<>]+/gi, "$1***"],
  [/([?&](?:amp;)?token=)[^&#\s"'<>]+/gi, "$1***"],
];

/** The text without tokens. Everything that is logged or reported goes through here. */
export const masked = (text: string): string =>
  IN_ADDRESSES.reduce((left, [pattern, shown]) => left.replace(pattern, shown), text);
