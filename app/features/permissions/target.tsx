import {
  Ban,
  Boxes,
  HeartPulse,
  Layers,
  ListChecks,
  NotebookPen,
  Plug,
  UsersRound,
  type LucideIcon,
} from "lucide-react";
import { KIND_LABELS, type ResourceKind } from "#app/contract/words/permissions.ts";
import { Avatar } from "#app/ui/marks/avatar.tsx";
import { actionLabel, type Target } from "./model.ts";

const ICONS: Record<ResourceKind, LucideIcon> = {
  config: Layers,
  component: Boxes,
  canary: ListChecks,
  check: HeartPulse,
  connection: Plug,
  playbook: NotebookPen,
};

/** A resource by its kind and name. */
export function TargetName({ kind, name }: Pick<Target, "kind" | "name">) {
  const Icon = ICONS[kind];
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-2 align-middle">
      <Icon aria-hidden="true" className="size-4 flex-none text-muted" />
      <span className="min-w-0 truncate">
        <span className="sr-only">{KIND_LABELS[kind]} </span>
        {name ?? <span className="text-faint italic">not to be seen</span>}
      </span>
    </span>
  );
}

/** A person or a team. On a card of a table the label stands before it. */
export function SubjectName({ kind, name }: { kind: "person" | "team"; name: string }) {
  return (
    <span
      title={name}
      className="inline-flex max-w-full min-w-0 items-center gap-2 align-middle @max-[38rem]/table:max-w-60"
    >
      {kind === "person" ? (
        <Avatar name={name} />
      ) : (
        <UsersRound aria-hidden="true" className="mx-1 size-4 flex-none text-muted" />
      )}
      <span className="min-w-0 truncate">
        {kind === "team" ? <span className="sr-only">Team </span> : null}
        {name}
      </span>
    </span>
  );
}

/** What it allows, or what it denies: said in words too, never by colour alone. */
export function ActionName({ action, deny }: { action: string; deny: boolean }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 align-middle">
      {deny ? <Ban aria-hidden="true" className="size-4 flex-none text-unhealthy-ink" /> : null}
      <span className="min-w-0 truncate">
        {deny ? <span className="text-unhealthy-ink">deny </span> : null}
        {actionLabel(action)}
      </span>
    </span>
  );
}
