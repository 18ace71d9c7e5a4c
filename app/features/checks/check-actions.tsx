import { FileCode2, HeartPulse, Pencil, Play } from "lucide-react";
import { Link } from "@remix-run/react";
import { NOTIFY } from "#app/contract/words/notifications.ts";
import { notifyPath } from "#app/features/notifications/paths.ts";
import { ButtonLink, LINK } from "#app/ui/button.tsx";
import { PostForm } from "#app/ui/post-form.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";
import { heartbeatPath } from "./paths.ts";
import type { CheckInDrawer } from "./drawer.server.ts";

type CheckActionsProps = {
  check: CheckInDrawer;
  canRun: boolean;
  /** May change canaries: then the way to this one says "Edit". */
  canEdit: boolean;
  /** What a refused run was told. */
  errors?: readonly string[] | null | undefined;
};

/** The bar of the drawer: where the check comes from, and Run Now for those who may (facts/ui-screens §3.7). */
export function CheckActions({ check, canRun, canEdit, errors }: CheckActionsProps) {
  return (
    <>
      <Source source={check.source} canEdit={canEdit} />
      {check.type === "heartbeat" && canEdit ? (
        <ButtonLink to={heartbeatPath(check.id)}>
          <HeartPulse aria-hidden="true" />
          Address
        </ButtonLink>
      ) : null}
      {canEdit && check.canary && !check.deleted_at ? (
        <ButtonLink to={notifyPath(check.canary.id, check.id)}>{NOTIFY}</ButtonLink>
      ) : null}
      {canRun && !check.deleted_at && !check.notRun ? (
        <PostForm intent="run" errors={errors} className="ml-auto flex flex-wrap items-center gap-3">
          <input type="hidden" name="id" value={check.id} />
          <SubmitButton intent="run" busy="Running…" icon={<Play aria-hidden="true" />}>
            Run now
          </SubmitButton>
        </PostForm>
      ) : null}
    </>
  );
}

function Source({ source, canEdit }: { source: CheckInDrawer["source"]; canEdit: boolean }) {
  if (source.isEditable && source.to)
    return (
      <ButtonLink to={source.to}>
        {canEdit ? <Pencil aria-hidden="true" /> : <FileCode2 aria-hidden="true" />}
        {canEdit ? "Edit" : "Canary"}
      </ButtonLink>
    );
  if (!source.words) return null;
  return (
    <p className="min-w-0 text-muted wrap-anywhere">
      {source.words}{" "}
      {source.to ? (
        <Link to={source.to} className={LINK}>
          {source.name}
        </Link>
      ) : (
        source.name
      )}
    </p>
  );
}
