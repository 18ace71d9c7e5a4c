/** "Perhaps you meant": the closest of some names, by shared letter groups as PostgREST's hints find them. */

/** Groups of `size` letters of the word with its ends marked, and how often each comes. */
function grams(word: string, size: number): Map<string, number> {
  const marked = `-${word.toLowerCase().replaceAll(/[^\p{L}\p{N}_, ]/gu, "")}-`.padEnd(size, "-");
  const counts = new Map<string, number>();
  for (let at = 0; at + size <= marked.length; at++) {
    const gram = marked.slice(at, at + size);
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}

function cosine(a: Map<string, number>, b: Map<string, number>): number {
  let dot = 0;
  for (const [gram, count] of a) dot += count * (b.get(gram) ?? 0);
  const length = (counts: Map<string, number>) =>
    Math.sqrt([...counts.values()].reduce((sum, n) => sum + n * n, 0));
  return dot === 0 ? 0 : dot / (length(a) * length(b));
}

/** Edits that turn one word into the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

const THRESHOLD = 0.33;

/** The closest name, or null when nothing is close. Three-letter groups first, then two. */
export function closestName(word: string, names: string[]): string | null {
  const unique = [...new Set(names)];
  for (const size of [3, 2]) {
    const own = grams(word, size);
    const close = unique.filter((name) => cosine(own, grams(name, size)) > 0);
    let best: [string, number] | null = null;
    for (const name of close) {
      const [a, b] = [word.toLowerCase(), name.toLowerCase()];
      const score = 1 - distance(a, b) / Math.max(a.length, b.length);
      if (score >= THRESHOLD && (!best || score > best[1])) best = [name, score];
    }
    if (best) return best[0];
  }
  return null;
}
