/**
 * An account elsewhere that brought the e-mail of somebody who is here already: it becomes theirs when they have signed
 * in, in the same flow, as they are used to. Never before, and never anybody else's.
 */
import type { NoteEvent } from "../audit.ts";
import type { Flow } from "../flow.ts";
import type { Elsewhere, SocialLinkStore } from "../store/social-links.ts";

const NAME = "oidc.link";

/** What a login flow keeps of it. `personId`: whose e-mail it brought. */
interface Pending extends Elsewhere {
  personId: string;
}

/** Kept with the flow when it is saved. */
export function keepPending(flow: Flow, account: Elsewhere, personId: string): void {
  const { issuer, subject, provider } = account;
  flow.kept[NAME] = { issuer, subject, provider, personId } satisfies Pending;
}

/** After a sign-in in this flow. Another account of theirs at the provider stays as it is. */
export async function linkPending(
  { linked, note }: { linked: SocialLinkStore; note: NoteEvent },
  flow: Flow,
  { personId, client }: { personId: string; client: string | null },
): Promise<void> {
  const pending = flow.context[NAME] as Pending | undefined;
  if (pending?.personId !== personId || (await linked.link(pending, personId)) !== "done") return;
  await note({ action: "settings-change", personId, email: null, client, reason: "oidc" });
}
