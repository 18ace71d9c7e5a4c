/** A reason not to start that the user can mend. Shown as its one sentence, without a stack. */
export class StartError extends Error {
  override name = "StartError";
}
