/** Something to say about a line of code; lines count from 1. */
export interface LineMark {
  line: number;
  message: string;
}
