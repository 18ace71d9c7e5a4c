import { LOGIN_TITLE } from "#app/contract/words/auth.ts";
import { KEPT_FIELD, type SignedOut } from "#app/lib/signed-out.ts";
import { Button, ButtonLink, type ButtonLook } from "#app/ui/button.tsx";
import { AuthCard, Or } from "#app/ui/frame/auth-card.tsx";
import { Page, Panel } from "#app/ui/frame/page.tsx";
import { FlowForm } from "./flow-form.tsx";
import { leadsElsewhere } from "./flow-forms.ts";
import type { FlowView } from "./flow-view.ts";
import { loginPath, signInAgainPath } from "./paths.ts";

/** What the page of a form says whose session had ended: sign in here, and what was typed is there again. */
export function SignedOutPage(props: SignedOut) {
  return (
    <AuthCard title={LOGIN_TITLE}>
      <SignInHere {...props} />
    </AuthCard>
  );
}

/** The same inside the frame, which a script leaves standing. */
export function SignedOutPart(props: SignedOut) {
  return (
    <Page>
      <Panel label={LOGIN_TITLE}>
        <div className="mx-auto grid w-[min(26rem,100%)] gap-3 p-6" data-signed-out="">
          <h2 className="text-xl tracking-tight">{LOGIN_TITLE}</h2>
          <SignInHere {...props} />
        </div>
      </Panel>
    </Page>
  );
}

function SignInHere({ address, kept, isTooLong, form }: SignedOut) {
  const flow = form as FlowView | null;
  const isElsewhere = !flow || leadsAway(flow, kept);
  return (
    <>
      <p role="status" className="text-pretty text-muted">
        {wordsOf({ kept, isTooLong })}
      </p>
      {flow ? (
        <FlowForm
          flow={carrying(flow, kept)}
          action={signInAgainPath({ return_to: address, flow: flow.id })}
          whole
        />
      ) : null}
      {flow && isElsewhere ? <Or /> : null}
      {isElsewhere ? (
        <SignInElsewhere address={address} kept={kept} look={flow ? "secondary" : "primary"} />
      ) : null}
    </>
  );
}

/** What is kept goes with no form to another site and back: who signs in there does it in another tab. */
const leadsAway = (flow: FlowView, kept: string | null): boolean =>
  kept !== null && flow.fields.some(leadsElsewhere);

/** Hidden fields of no group go with every form of a flow. */
const carrying = (flow: FlowView, kept: string | null): FlowView =>
  kept === null
    ? flow
    : {
        ...flow,
        fields: [
          { kind: "hidden", name: KEPT_FIELD, value: kept, group: "default", onLoad: null },
          ...flow.fields.filter((field) => !leadsElsewhere(field)),
        ],
      };

/** Where signing in leads through another site: in another tab, and then on from here. */
function SignInElsewhere({
  address,
  kept,
  look,
}: Pick<SignedOut, "address" | "kept"> & { look: ButtonLook }) {
  const signIn = (
    <ButtonLink to={loginPath()} target="_blank" look={look}>
      Sign in in a new tab
    </ButtonLink>
  );
  if (kept === null) return signIn;
  return (
    <form method="post" action={address} className="grid gap-3">
      <input type="hidden" name={KEPT_FIELD} value={kept} />
      {signIn}
      <Button>Continue here</Button>
    </form>
  );
}

function wordsOf({ kept, isTooLong }: Pick<SignedOut, "kept" | "isTooLong">): string {
  const ended = "Your session had ended, so nothing was saved.";
  if (kept !== null) return `${ended} What you typed is kept: it is shown again once you are signed in.`;
  if (isTooLong)
    return `${ended} It is too long to be kept here: sign in in another tab, then go back and send it again.`;
  return `${ended} Sign in to go on.`;
}
