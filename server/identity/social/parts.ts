/** Signing in and up with an account elsewhere, and linking it in the settings: the parts of the group `oidc`. */
import type { Flow } from "../flow.ts";
import { input, submit, type UiNode } from "../nodes.ts";
import type { Complaint, LoginPart, SettingsPart } from "../parts.ts";
import type { SocialLinkStore } from "../store/social-links.ts";
import { noStrategy, texts } from "../texts.ts";
import { SocialFailure, type Providers, type SocialProvider, type SocialVisit } from "./provider.ts";
import { socialLabels, socialTexts } from "./texts.ts";

/** Under this name a flow keeps the visit to the provider. */
const VISIT = "oidc.visit";

export type Social = ReturnType<typeof createSocialParts>;
type Leaving = { redirect: string } | { complaints: Complaint[] };

/** `warn` tells whoever runs this why a provider failed. */
export function createSocialParts(
  providers: Providers,
  linked: SocialLinkStore,
  warn: (message: string) => void,
) {
  /** Reports a failure that is a fault, and says what the person is told. */
  function told(failure: SocialFailure): Complaint {
    const { message, cause, isChoice } = failure;
    if (!isChoice) warn(`${message} ${wordsOf(cause)}`.trim());
    return { message: texts.generic(message) };
  }

  /** On to a provider, or why not. The flow keeps what the answer must fit; it is saved by whoever asks. */
  async function leave(flow: Flow, id: string): Promise<Leaving> {
    const provider = providers.find(id);
    if (!provider) return { complaints: [{ message: noStrategy(flow.kind) }] };
    try {
      const { to, visit } = await providers.begin(provider, `${flow.kind}.${flow.id}`);
      flow.kept[VISIT] = visit;
      return { redirect: to };
    } catch (error) {
      if (error instanceof SocialFailure) return { complaints: [told(error)] };
      throw error;
    }
  }

  /** A button for each provider. In a refresh only those that are linked prove that it is still the same person. */
  const login: LoginPart = {
    group: "oidc",
    aal: "aal1",
    fields: ["provider"],
    async nodes(flow, identity) {
      const own = flow.refresh && identity ? await linked.providersOf(identity.id) : null;
      return providers.offered
        .filter(({ id }) => own === null || own.includes(id))
        .map((one) => button("provider", one, socialLabels.signIn(one)));
    },
    submit: ({ flow, form }) => leave(flow, form.get("provider") ?? ""),
  };

  /** Link what is not linked; unlink what is, as long as there is another way in. */
  const settings: SettingsPart = {
    group: "oidc",
    fields: ["link", "unlink"],
    needsFreshSession: () => true,
    async nodes(_flow, identity) {
      const own = await linked.providersOf(identity.id);
      const disabled = !(await linked.hasAnotherWay(identity.id));
      return providers.offered.map((one) =>
        own.includes(one.id)
          ? input(
              "oidc",
              { name: "unlink", type: "submit", value: one.id, disabled },
              socialLabels.unlink(one),
            )
          : button("link", one, socialLabels.link(one)),
      );
    },
    async submit({ flow, form, identity }) {
      const gone = form.get("unlink");
      if (!gone) return leave(flow, form.get("link") ?? "");
      const outcome = await linked.unlink(identity.id, gone);
      return outcome === "done" ? { done: true } : { complaints: [{ message: socialTexts[outcome] }] };
    },
  };

  return {
    providers,
    linked,
    leave,
    told,
    /** Nothing of it stands anywhere where no provider is configured. */
    loginParts: providers.offered.length > 0 ? [login] : [],
    settingsParts: providers.offered.length > 0 ? [settings] : [],
    registrationNodes: (): UiNode[] =>
      providers.offered.map((one) => button("provider", one, socialLabels.signUp(one))),
    /** Spends the visit a flow keeps: undefined for the second who asks. */
    visitOf: (take: (name: string) => Promise<unknown>) => take(VISIT) as Promise<SocialVisit | undefined>,
  };
}

const button = (name: string, { id: value }: SocialProvider, label: NonNullable<UiNode["meta"]["label"]>) =>
  submit("oidc", label, { name, value });

/** The words of an error and of what caused it; the library's hold no secret. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const deeper = wordsOf(error.cause);
  return deeper ? `${error.message}: ${deeper}` : error.message;
}
