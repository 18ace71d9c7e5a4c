/**
 * Shell patterns: `*` and `?` stay within one name of a path, `**` crosses, `[a-z]` and `[^a-z]` are one of a set, `\` takes
 * the next character as it is. In time that grows with pattern times text, whatever the pattern is.
 */
export function globMatches(pattern: string, text: string): boolean {
  const tokens = tokensOf(pattern);
  let reached = new Set([0]);
  skipStars(tokens, reached, true);
  for (const character of text) {
    const next = new Set<number>();
    for (const at of reached) {
      const token = tokens[at];
      if (token === undefined) continue;
      if (token.kind === "any") {
        if (token.across || character !== "/") next.add(at);
      } else if (token.accepts(character)) next.add(at + 1);
    }
    skipStars(tokens, next, character === "/");
    if (next.size === 0) return false;
    reached = next;
  }
  return reached.has(tokens.length);
}

type Token =
  { kind: "any"; across: boolean; folders: boolean } | { kind: "one"; accepts(character: string): boolean };

// A star may be nothing; two stars and a slash are whole folders, so what follows begins where a name begins.
function skipStars(tokens: Token[], reached: Set<number>, nameBegins: boolean): void {
  for (const at of reached) {
    const token = tokens[at];
    if (token?.kind === "any" && (nameBegins || !token.folders)) reached.add(at + 1);
  }
}

function tokensOf(pattern: string): Token[] {
  return Array.from(
    pattern.matchAll(/\*\*\/?|\*|\?|\[(\^|!)?((?:\\.|[^\]\\])+)\]|\\?([\s\S])/gu),
    ([whole, not, set, literal]): Token => {
      if (whole.startsWith("*"))
        return { kind: "any", across: whole.startsWith("**"), folders: whole === "**/" };
      if (whole === "?") return { kind: "one", accepts: (character) => character !== "/" };
      if (set === undefined) return { kind: "one", accepts: (character) => character === literal };
      const ranges = Array.from(
        set.matchAll(/\\?([\s\S])(?:-\\?([\s\S]))?/gu),
        ([, from = "", to = from]) => [from, to],
      );
      const inside = (character: string) =>
        ranges.some(([from, to]) => character >= from! && character <= to!);
      return {
        kind: "one",
        accepts: (character) => character !== "/" && inside(character) === (not === undefined),
      };
    },
  );
}
