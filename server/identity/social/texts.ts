/** What signing in with an account elsewhere says: ids and words of the public Ory Kratos API, or sentences of ours. */
import { texts, type UiText } from "../texts.ts";
import type { SocialProvider } from "./provider.ts";

type Named = Pick<SocialProvider, "id" | "label">;

const labelled =
  (id: number, words: string) =>
  ({ id: provider_id, label: provider }: Named): UiText => ({
    id,
    type: "info",
    text: `${words} ${provider}`,
    context: { provider, provider_id },
  });

export const socialLabels = {
  signIn: labelled(1010002, "Sign in with"),
  signUp: labelled(1040002, "Sign up with"),
  link: labelled(1050002, "Link"),
  unlink: labelled(1050003, "Unlink"),
} as const;

export const socialTexts = {
  /** The e-mail is somebody's already: they sign in as they are used to, and the account is theirs from then on. */
  linkFirst: (email: string, { label }: Named): UiText => ({
    id: 1010016,
    type: "info",
    text: `You tried to sign in with "${email}", but that email is already used by another account. Sign in to your account with one of the options below to add your account "${email}" at "${label}" as another way to sign in.`,
    context: { duplicateIdentifier: email, duplicate_identifier: email, provider: label },
  }),
  /** The same where a new account was to be made. */
  signInFirst: {
    id: 4000027,
    type: "error",
    text: "An account with the same identifier (email, phone, username, ...) exists already. Please sign in to your existing account to link your social profile.",
  } satisfies UiText,
  noAccount: ({ label }: Named): UiText =>
    texts.generic(
      `No account here belongs to this account at ${label}. Ask an administrator for an invitation.`,
    ),
  noEmail: ({ label }: Named): UiText =>
    texts.generic(`${label} sent no e-mail address that it has verified, so no account can be made of it.`),
  /** In a refresh: it proves somebody, but not the one who is signed in. */
  notLinked: ({ label }: Named): UiText =>
    texts.generic(`This account at ${label} is not linked to the account you are signed in with.`),
  somebodys: ({ label }: Named): UiText =>
    texts.generic(`This account at ${label} is linked to another account here already.`),
  another: ({ label }: Named): UiText =>
    texts.generic(`Another account at ${label} is linked to yours: unlink it first.`),
  invited: texts.generic("You are invited: open the link of your invitation to sign up."),
  disabled: texts.generic("This account was disabled."),
  lastWayIn: texts.generic("This is your only way to sign in. Set a password first."),
  notThere: texts.generic("This account was not linked (any more)."),
} as const;
