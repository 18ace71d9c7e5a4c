import { data, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import type { PermissionRow } from "#app/contract/rows/permissions.ts";
import {
  EDIT_PERMISSION,
  NO_PERMISSION,
  PERMISSION_DELETED,
  PERMISSION_UPDATED,
} from "#app/contract/words/permissions.ts";
import { changePermission, deletePermission } from "#app/features/permissions/commands.server.ts";
import { DeletePermission } from "#app/features/permissions/delete-permission.tsx";
import { draftOf, draftOfRow, drawDraft } from "#app/features/permissions/draft.server.ts";
import { PermissionInput } from "#app/features/permissions/forms.server.ts";
import {
  permissionPath,
  PERMISSIONS_CRUMB,
  permissionSearch,
  permissionsPath,
} from "#app/features/permissions/paths.ts";
import { PermissionFacts } from "#app/features/permissions/permission-facts.tsx";
import { PermissionForm } from "#app/features/permissions/permission-form.tsx";
import { findPermission } from "#app/features/permissions/queries.server.ts";
import { authorize } from "#app/lib/authorize.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { typedForm } from "#app/lib/posted-form.server.ts";
import { on, submit } from "#app/lib/submit.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Page, Panel } from "#app/ui/frame/page.tsx";

export const handle = {
  title: EDIT_PERMISSION,
  crumb: { label: EDIT_PERMISSION, under: () => PERMISSIONS_CRUMB },
} satisfies Handle;
const FEATURE = "settings.permissions" as const;

export async function loader(args: LoaderFunctionArgs) {
  const { api, can } = await authorize(args, "read:permissions", { feature: FEATURE });
  const { confirm } = permissionSearch.read(args.request);
  const row = await findPermission(api, args.params["id"] ?? "");
  if (!row) return data({ row: null, drawing: null, confirm, now: Date.now() }, { status: 404 });
  const drawing = can("write:permissions") ? await drawDraft(api, draftOfRow(row)) : null;
  return { row, drawing, confirm, now: Date.now() };
}

/** Saves, deletes, or takes one of the form's own steps; two who save the same: the second is told and sees the first's. */
export async function action(args: ActionFunctionArgs) {
  const { api, user } = await authorize(args, "write:permissions", { feature: FEATURE });
  const row = await findPermission(api, args.params["id"] ?? "");
  if (!row) throw new Response(NO_PERMISSION, { status: 404 });
  const { form } = await typedForm(args.request.clone());
  const draft = draftOf(form);
  if (form.has("step"))
    return data({ drawing: await drawDraft(api, draft), result: undefined, theirs: null });
  const answer = await submit(args.request, {
    save: on(PermissionInput, async (input) => {
      await changePermission(api, row.id, input, user.id);
      return { to: permissionsPath(), toast: PERMISSION_UPDATED };
    }),
    delete: on(z.object({}), async () => {
      await deletePermission(api, row.id);
      return { to: permissionsPath(), toast: PERMISSION_DELETED };
    }),
  });
  if (answer instanceof Response) return answer;
  const { result, current } = answer.data;
  const theirs = current ? (current as PermissionRow) : null;
  const seen = theirs ? theirs.updated_at : draft.seen; // saved again, it goes over what was shown
  const kept = form.get("intent") === "save" ? { ...draft, seen } : draftOfRow(row);
  return data({ drawing: await drawDraft(api, kept), result, theirs }, answer.init ?? {});
}

export default function PermissionPage() {
  const { row, drawing, confirm, now } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  if (!row)
    return (
      <Page>
        <Panel label="Permission">
          <Empty actions={<ButtonLink to={permissionsPath()}>All permissions</ButtonLink>}>
            {NO_PERMISSION}
          </Empty>
        </Panel>
      </Page>
    );
  const shown = answer?.drawing ?? drawing;
  const ofDelete = answer?.result?.initialValue?.["intent"] === "delete";
  return (
    <Page>
      <PermissionFacts row={answer?.theirs ?? row} now={now} isChanged={answer?.theirs ? true : false} />
      {shown ? (
        <PermissionForm
          {...shown}
          result={ofDelete ? undefined : answer?.result}
          isChanged={answer !== undefined && !ofDelete}
          foot={<ButtonLink to={permissionsPath()}>Cancel</ButtonLink>}
          danger={
            <ButtonLink
              to={permissionPath(row.id, "delete")}
              look="quiet"
              className="text-unhealthy-ink"
              preventScrollReset
            >
              Delete
            </ButtonLink>
          }
        />
      ) : null}
      {confirm === "delete" && drawing ? (
        <DeletePermission
          row={row}
          closeTo={permissionPath(row.id)}
          errors={ofDelete ? answer?.result?.error?.[""] : null}
        />
      ) : null}
    </Page>
  );
}
