import { Radio } from "lucide-react";
import { Badge } from "#app/ui/marks/badge.tsx";
import { Copy } from "#app/ui/copy.tsx";
import { StatusPill } from "#app/ui/marks/status.tsx";
import { TagLine } from "#app/ui/marks/tag-line.tsx";
import type { CheckInDrawer } from "./drawer.server.ts";

/** Beside the drawer's title: how it is, where it belongs, who runs it (facts/ui-screens §3.7). */
export function CheckBadges({ check }: { check: CheckInDrawer }) {
  return (
    <>
      <StatusPill health={check.status} />
      <Badge>{check.namespace ?? check.canary?.namespace}</Badge>
      <AgentBadge agent={check.agent} />
    </>
  );
}

/** Under it: what it asks, what it is for, its labels on one line. */
export function CheckLead({ check }: { check: CheckInDrawer }) {
  return (
    <>
      {check.endpoint && check.endpoint !== check.displayName ? (
        <div className="flex min-w-0 items-center gap-1">
          <p className="truncate font-mono text-xs text-faint" title={check.endpoint}>
            {check.endpoint}
          </p>
          <Copy text={check.endpoint} label="Copy endpoint" />
        </div>
      ) : null}
      {check.description && check.description !== check.displayName ? (
        <p className="text-muted">{check.description}</p>
      ) : null}
      <TagLine labels={check.labels ?? {}} />
    </>
  );
}

/** The all-zero agent means none (specification 1 §3). */
function AgentBadge({ agent }: Pick<CheckInDrawer, "agent">) {
  if (!agent || /^[0-]+$/.test(agent.id)) return null;
  return (
    <Badge>
      <Radio aria-hidden="true" className="size-3.5" />
      {agent.name}
    </Badge>
  );
}
