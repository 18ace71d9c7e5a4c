import { data, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { NOTIFY } from "#app/contract/words/notifications.ts";
import { NO_RESOURCE } from "#app/contract/words/resources.ts";
import {
  addNotifyRule,
  removeNotifyRule,
  testNotifyRule,
} from "#app/features/notifications/commands.server.ts";
import { ChosenRule, NewNotifyRule } from "#app/features/notifications/forms.server.ts";
import { NotifyForm } from "#app/features/notifications/notify-form.tsx";
import { NotifyRules } from "#app/features/notifications/notify-rules.tsx";
import { notifyPath, notifySearch } from "#app/features/notifications/paths.ts";
import { listNotifyChecks, listNotifyRules } from "#app/features/notifications/queries.server.ts";
import { findCanary } from "#app/features/resources/canary.server.ts";
import { canaries } from "#app/features/resources/definitions/canaries.ts";
import { listCrumb, resourcePath } from "#app/features/resources/paths.ts";
import { authorize } from "#app/lib/authorize.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { on, submit } from "#app/lib/submit.server.ts";
import { Empty } from "#app/ui/empty.tsx";
import { Page, Panel } from "#app/ui/frame/page.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Tabs } from "#app/ui/tabs.tsx";

const nameOf = (given: unknown) => (given as { canary?: { name: string } | null } | undefined)?.canary?.name;

export const handle = {
  title: (given) => (given ? `${NOTIFY} · ${nameOf(given) ?? NO_RESOURCE}` : NOTIFY),
  crumb: {
    label: (given) => (given ? (nameOf(given) ?? NO_RESOURCE) : NOTIFY),
    under: () => listCrumb(canaries),
  },
  refresh: true,
} satisfies Handle;
const FEATURE = "settings.health" as const;

export async function loader(args: LoaderFunctionArgs) {
  const { api, can } = await authorize(args, "read:notifications", { feature: FEATURE });
  const { check } = notifySearch.read(args.request);
  const canary = can("read:canaries") ? await findCanary(api, args.params["id"]) : null;
  if (!canary) return data({ canary: null, checks: [], rules: [], check, canWrite: false }, { status: 404 });
  const checks = await listNotifyChecks(api, canary.id);
  const rules = await listNotifyRules(api, canary.id, checks);
  const { id, name } = canary;
  return { canary: { id, name }, checks, rules, check, canWrite: can("write:notifications") };
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await authorize(args, "write:notifications", { feature: FEATURE });
  const canary = await findCanary(api, args.params["id"]);
  if (!canary) throw new Response(NO_RESOURCE, { status: 404 });
  const to = notifyPath(canary.id, notifySearch.read(args.request).check);
  return submit(args.request, {
    add: on(NewNotifyRule, async (rule) => {
      await addNotifyRule(api, canary.id, await listNotifyChecks(api, canary.id), rule);
      return { to, toast: "Added: try it with Test" };
    }),
    test: on(ChosenRule, async ({ id }) => {
      await testNotifyRule(api, id);
      return { to, toast: "The test message was sent" };
    }),
    remove: on(ChosenRule, async ({ id }) => {
      await removeNotifyRule(api, id, new Date());
      return { to, toast: "Removed" };
    }),
  });
}

export default function CanaryNotifyPage() {
  const { canary, checks, rules, check, canWrite } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  if (!canary)
    return (
      <Page>
        <Panel label={NOTIFY}>
          <Empty>{NO_RESOURCE}</Empty>
        </Panel>
      </Page>
    );
  // What Test or Remove was told belongs to no field of the form below.
  const isOfForm = result?.initialValue?.["intent"] === "add";
  const refusal = isOfForm ? null : result?.error?.[""];
  return (
    <Page>
      <Tabs
        label={canary.name}
        tabs={[
          { to: resourcePath("canaries", canary.id), label: "Spec", current: false },
          {
            to: resourcePath("canaries", canary.id, { tab: "jobHistory" }),
            label: "Job History",
            current: false,
          },
          { to: notifyPath(canary.id, check), label: NOTIFY, current: true },
        ]}
      />
      {refusal ? <Notice tone="unhealthy">{refusal.join(" ")}</Notice> : null}
      <NotifyRules rules={rules} canWrite={canWrite} />
      {canWrite ? (
        <NotifyForm
          key={`${rules.length} ${isOfForm}`}
          checks={checks}
          chosen={check}
          result={isOfForm ? result : undefined}
        />
      ) : null}
    </Page>
  );
}
