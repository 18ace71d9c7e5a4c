/** Bytes are not counted in a thread's limit of memory: they are counted here, for one question at a time. */

/** So many bytes one question may make. Ours to choose. */
const BYTES = 64 * 1024 * 1024;
let left = BYTES;

/** Before each question. */
export function renew(): void {
  left = BYTES;
}

/** Takes this many bytes; throws once there are none left. */
export function spend(bytes: number): void {
  left -= bytes;
  if (left < 0) throw new RangeError("too many bytes");
}
