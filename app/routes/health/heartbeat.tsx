import { data, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { HeartPulse } from "lucide-react";
import { findHeartbeat, renewHeartbeat } from "#app/features/checks/heartbeat.server.ts";
import { checkPath, healthPath, healthSearch } from "#app/features/checks/paths.ts";
import { authorize } from "#app/lib/authorize.server.ts";
import { utc } from "#app/lib/format/age.ts";
import type { Handle } from "#app/lib/handle.ts";
import { siteOrigin } from "#app/lib/origin.server.ts";
import { postedForm } from "#app/lib/posted-form.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { CodeBlock } from "#app/ui/code-block.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Page, Panel } from "#app/ui/frame/page.tsx";
import { KeyValue, KeyValues } from "#app/ui/key-values.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { PostForm } from "#app/ui/post-form.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";

export const handle = {
  title: "Heartbeat address",
  crumb: {
    label: (page) => (page as HeartbeatData | undefined)?.heartbeat?.name ?? "Heartbeat",
    under: () => ({ label: "Health", to: healthPath() }),
  },
} satisfies Handle;

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await authorize(args, "write:canaries", { feature: "health" });
  return { heartbeat: await findHeartbeat(api, args.params["id"] ?? "") };
}
type HeartbeatData = ReturnType<typeof useLoaderData<typeof loader>>;

/** Answers with the address itself: it can be read this once, so no redirect may lose it, and no store keeps it. */
export async function action(args: ActionFunctionArgs) {
  const { api } = await authorize(args, "write:canaries", { feature: "health" });
  await postedForm(args.request); // one that came back after signing in renews nothing
  const made = await renewHeartbeat(api, args.params["id"] ?? "", siteOrigin(args.request));
  return data(made, { status: made.error ? 422 : 200, headers: { "Cache-Control": "no-store" } });
}

/** The address that a job pings, made and shown once (specification 3 §9). */
export default function HeartbeatPage() {
  const { heartbeat } = useLoaderData<typeof loader>();
  const { address = null, error = null } = useActionData<typeof action>() ?? {};
  if (!heartbeat)
    return (
      <Page>
        <Panel label="Heartbeat">
          <Empty
            title="There is no such heartbeat"
            heading="h1"
            actions={<ButtonLink to={healthPath()}>Show all checks</ButtonLink>}
          >
            It may have been deleted, or the link may be incomplete.
          </Empty>
        </Panel>
      </Page>
    );
  const check = checkPath(healthSearch.read(new URLSearchParams()), heartbeat.id);
  return (
    <Page>
      <Card title={heartbeat.name} actions={<ButtonLink to={check}>Open the check</ButtonLink>}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <KeyValues>
            <KeyValue name="Address made">
              {heartbeat.created_at ? utc(heartbeat.created_at) : "Not yet"}
            </KeyValue>
            <KeyValue name="Last ping">
              {heartbeat.last_ping ? utc(heartbeat.last_ping) : "None yet"}
            </KeyValue>
          </KeyValues>
          {address ? <NewAddress address={address} /> : null}
          <PostForm intent="renew" errors={error ? [error] : null} className="grid justify-items-start gap-2">
            <p className="text-muted">
              {heartbeat.created_at
                ? "The address is kept as a hash and cannot be shown again. A new one ends the old one at once."
                : "Whoever knows the address can ping: it is shown once, when it is made."}
            </p>
            <SubmitButton
              intent="renew"
              busy="Making…"
              look={heartbeat.created_at ? "secondary" : "primary"}
              icon={<HeartPulse aria-hidden="true" />}
            >
              {heartbeat.created_at ? "Make a new address" : "Make the address"}
            </SubmitButton>
          </PostForm>
        </div>
      </Card>
    </Page>
  );
}

function NewAddress({ address }: { address: string }) {
  const examples = [
    `curl -fsS -m 10 --retry 3 ${address}`,
    `# with its duration and exit code, in a crontab`,
    `curl -fsS ${address}/start; /usr/local/bin/job; curl -fsS ${address}/$?`,
  ].join("\n");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <Notice tone="warning">Copy it now: this is the only time it is shown.</Notice>
      <CodeBlock code={address} label="Address" />
      <CodeBlock code={examples} label="Examples" />
    </div>
  );
}
