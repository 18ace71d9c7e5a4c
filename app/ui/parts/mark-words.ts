/** Values to include (1) and to exclude (-1). */
export type Marks = Readonly<Record<string, 1 | -1>>;
export type MarkState = 1 | 0 | -1;

/** From so many on they are counted and not listed (specification 1 §2). */
const COUNTED_FROM = 4;

/** What a tri-state select is set to: "All", "eu-west, not platform", "including 4 labels". */
export function markWords(marks: Marks, noun: string): string {
  const having = (mark: 1 | -1) => Object.keys(marks).filter((name) => marks[name] === mark);
  const [included, excluded] = [having(1), having(-1)];
  const parts = [
    ...(included.length >= COUNTED_FROM ? [`including ${included.length} ${noun}`] : included),
    ...(excluded.length >= COUNTED_FROM
      ? [`excluding ${excluded.length} ${noun}`]
      : excluded.map((name) => `not ${name}`)),
  ];
  return parts.join(", ") || "All";
}

/** What a multiple select is set to: "All", "http, tcp", "including 4 types". */
export const choiceWords = (labels: readonly string[], noun: string): string =>
  labels.length >= COUNTED_FROM ? `including ${labels.length} ${noun}` : labels.join(", ") || "All";
