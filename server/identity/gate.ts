/** So many pieces of work wait for a gate already that another one is not taken. */
export class Busy extends Error {
  constructor() {
    super("Too much is waiting already.");
  }
}

/**
 * Lets at most `width` pieces of work run at once; the others wait their turn, at most `room` of them, so that a flood
 * costs neither memory nor patience: beyond it, `Busy` is thrown. What is `first` always gets in, before the others.
 */
export function createGate(width: number, room = Infinity) {
  let free = width;
  const waiting: (() => void)[] = [];
  const early: (() => void)[] = [];

  async function gate<T>(work: () => Promise<T>, { first = false } = {}): Promise<T> {
    if (free > 0) free -= 1;
    else if (!first && waiting.length >= room) throw new Busy();
    else await new Promise<void>((resolve) => (first ? early : waiting).push(resolve));
    try {
      return await work();
    } finally {
      const next = early.shift() ?? waiting.shift();
      if (next) next();
      else free += 1;
    }
  }
  return gate;
}
