/** Too much at once, or a control plane that is stopping: the caller may try again in a moment. */
export class Busy extends Error {}

/** A check that is not run: nobody runs its type here, or it is driven by others (its pings, its webhook). */
export class NotRun extends Error {}
