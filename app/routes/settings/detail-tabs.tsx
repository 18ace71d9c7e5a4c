import { HeartPulse } from "lucide-react";
import { healthPath } from "#app/features/checks/paths.ts";
import { notifyPath } from "#app/features/notifications/paths.ts";
import { canaries } from "#app/features/resources/definitions/canaries.ts";
import { resourcePath, type ResourceSearch } from "#app/features/resources/paths.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Tabs } from "#app/ui/tabs.tsx";

type DetailTabsProps = {
  table: string;
  row: { id: string; name: string };
  tab: ResourceSearch["tab"];
  canNotify: boolean;
};

/** The tabs of one resource's page; a health check has messages, and checks of its own on the health page. */
export function DetailTabs({ table, row: { id, name }, tab, canNotify }: DetailTabsProps) {
  const to = (values: Partial<ResourceSearch>) => resourcePath(table, id, values);
  const isCanary = table === canaries.table;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="min-w-0 flex-1">
        <Tabs
          label={name}
          tabs={[
            { to: to({}), label: "Spec", current: tab === "spec" },
            { to: to({ tab: "jobHistory" }), label: "Job History", current: tab === "jobHistory" },
            ...(isCanary && canNotify ? [{ to: notifyPath(id), label: "Notify", current: false }] : []),
          ]}
        />
      </div>
      {isCanary ? (
        <ButtonLink to={healthPath({ query: name, hidePassing: false })} look="quiet">
          <HeartPulse aria-hidden="true" />
          Its checks
        </ButtonLink>
      ) : null}
    </div>
  );
}
