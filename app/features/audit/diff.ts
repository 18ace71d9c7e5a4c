/** What changed between two texts, line by line. Pure. */

export interface DiffLine {
  sign: " " | "-" | "+" | "…";
  text: string;
}

/** Unchanged lines that are kept around what changed. */
const CONTEXT = 3;
/** Beyond this many lines in the middle, the two are shown whole, one after the other. */
const MOST = 1500;

/** The lines of both texts in order: removed before added, long stretches without a change left out. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail++;
  const same = (lines: readonly string[]) => lines.map((text): DiffLine => ({ sign: " ", text }));
  const whole = [
    ...same(before.slice(0, head)),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...same(before.slice(before.length - tail)),
  ];
  return folded(whole);
}

/** The longest common subsequence, and what stands between. */
function middle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const removed = before.map((text): DiffLine => ({ sign: "-", text }));
  const added = after.map((text): DiffLine => ({ sign: "+", text }));
  if (before.length > MOST || after.length > MOST) return [...removed, ...added];
  const width = after.length + 1;
  // Of the suffixes that begin at each pair of places, how many lines they share at most.
  const shared = new Uint16Array((before.length + 1) * width);
  const at = (b: number, a: number) => shared[b * width + a] ?? 0;
  for (let b = before.length - 1; b >= 0; b--)
    for (let a = after.length - 1; a >= 0; a--)
      shared[b * width + a] =
        before[b] === after[a] ? at(b + 1, a + 1) + 1 : Math.max(at(b + 1, a), at(b, a + 1));
  const lines: DiffLine[] = [];
  let b = 0;
  let a = 0;
  while (b < before.length || a < after.length) {
    if (b < before.length && a < after.length && before[b] === after[a]) {
      lines.push({ sign: " ", text: before[b]! });
      b++;
      a++;
    } else if (b < before.length && (a === after.length || at(b + 1, a) >= at(b, a + 1)))
      lines.push(removed[b++]!);
    else lines.push(added[a++]!);
  }
  return lines;
}

/** Stretches without a change, but for the lines next to one. */
function folded(lines: readonly DiffLine[]): DiffLine[] {
  const near = new Set<number>();
  lines.forEach(({ sign }, place) => {
    if (sign !== " ") for (let n = place - CONTEXT; n <= place + CONTEXT; n++) near.add(n);
  });
  const kept: DiffLine[] = [];
  lines.forEach((line, place) => {
    if (near.has(place)) kept.push(line);
    else if (kept.at(-1)?.sign !== "…") kept.push({ sign: "…", text: "" });
  });
  return kept.length === 1 && kept[0]!.sign === "…" ? [] : kept;
}
