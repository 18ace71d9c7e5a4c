import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Plus } from "lucide-react";
import { FLAG_WORDS } from "#app/contract/words/features.ts";
import { addFlag, changeFlag, removeFlag, switchFeature } from "#app/features/flags/commands.server.ts";
import { FlagDialog } from "#app/features/flags/flag-dialog.tsx";
import { FlagsTable } from "#app/features/flags/flags-table.tsx";
import { ChangedFlag, GoneFlag, NewFlag, Switched } from "#app/features/flags/forms.server.ts";
import { KnownFeatures } from "#app/features/flags/known-features.tsx";
import { knownFeatures, otherFlags } from "#app/features/flags/model.ts";
import { flagsPath, flagsSearch } from "#app/features/flags/paths.ts";
import { listFlags } from "#app/features/flags/queries.server.ts";
import { afterConflict } from "#app/lib/after-conflict.ts";
import { authorize } from "#app/lib/authorize.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { on, submit } from "#app/lib/submit.server.ts";
import { redirectWithToast } from "#app/lib/toast.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Page, Panel } from "#app/ui/frame/page.tsx";
import { Notice } from "#app/ui/notice.tsx";

const TITLE = "Feature Flags";
export const handle = { title: TITLE, crumb: { label: TITLE }, refresh: true } satisfies Handle;
export const shouldRevalidate = afterConflict;
const FEATURE = { feature: "settings.feature_flags" } as const;

export async function loader(args: LoaderFunctionArgs) {
  const { api, can } = await authorize(args, "read:feature_flags", FEATURE);
  const search = flagsSearch.read(args.request);
  const flags = await listFlags(api);
  const canWrite = can("write:feature_flags");
  const edited = flags.find(({ name }) => canWrite && name === search.edit) ?? null;
  if (edited?.isLocal)
    throw await redirectWithToast(flagsPath(), { type: "error", message: FLAG_WORDS.local });
  return {
    features: knownFeatures(flags),
    others: otherFlags(flags),
    edited,
    isAdding: search.add && canWrite,
    canWrite,
    now: Date.now(),
  };
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await authorize(args, "write:feature_flags", FEATURE);
  const flags = await listFlags(api);
  const to = flagsPath();
  return submit(args.request, {
    switch: on(Switched, async (switched) => {
      return { to, toast: await switchFeature(api, flags, switched) };
    }),
    add: on(NewFlag, async (flag) => {
      await addFlag(api, flags, flag);
      return { to, toast: FLAG_WORDS.added };
    }),
    change: on(ChangedFlag, async (flag) => {
      await changeFlag(api, flags, flag);
      return { to, toast: FLAG_WORDS.updated };
    }),
    remove: on(GoneFlag, async ({ was }) => {
      await removeFlag(api, flags, was);
      return { to, toast: FLAG_WORDS.removed };
    }),
  });
}

export default function FeatureFlagsPage() {
  const { features, others, edited, isAdding, canWrite, now } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  const isOpen = edited !== null || isAdding;
  const refusal = isOpen ? null : result?.error?.[""];
  return (
    <Page>
      {refusal ? <Notice tone="unhealthy">{refusal.join(" ")}</Notice> : null}
      <Panel label="Features">
        <header className="border-b border-line px-4 py-3">
          <h2>Features</h2>
          <p className="text-pretty text-muted">
            A feature that is off is out of every menu, and its pages answer as if they did not exist, for
            everybody. What is below another feature goes with it.
          </p>
        </header>
        <KnownFeatures features={features} canWrite={canWrite} />
      </Panel>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <h2>Other properties</h2>
          {canWrite ? (
            <ButtonLink to={flagsPath({ add: true })} preventScrollReset className="ml-auto">
              <Plus aria-hidden="true" />
              Add Feature Flag
            </ButtonLink>
          ) : null}
        </div>
        {others.length > 0 ? (
          <FlagsTable flags={others} canWrite={canWrite} now={now} />
        ) : (
          <Panel label="Other properties">
            <Empty small heading="h3">
              No other property is set: everything else is as the product has it by itself.
            </Empty>
          </Panel>
        )}
      </div>
      {isOpen ? <FlagDialog key={edited?.seen} flag={edited} result={result} /> : null}
    </Page>
  );
}
