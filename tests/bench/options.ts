/** What stands behind `npm run bench --`. */
export interface Options {
  /** For development: short rounds, nothing written. */
  quick: boolean;
  /** Every word as given. */
  words: readonly string[];
}

export const has = ({ words }: Options, flag: string): boolean => words.includes(flag);

/** The value of `--name=value`. */
export function valueOf({ words }: Options, flag: string): string | undefined {
  return words.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
}
