import { data, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ADD_PERMISSION, PERMISSION_ADDED } from "#app/contract/words/permissions.ts";
import { addPermission } from "#app/features/permissions/commands.server.ts";
import { draftOf, drawDraft, newDraft } from "#app/features/permissions/draft.server.ts";
import { PermissionInput } from "#app/features/permissions/forms.server.ts";
import { newPermissionSearch, PERMISSIONS_CRUMB, permissionsPath } from "#app/features/permissions/paths.ts";
import { PermissionForm } from "#app/features/permissions/permission-form.tsx";
import { authorize } from "#app/lib/authorize.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { typedForm } from "#app/lib/posted-form.server.ts";
import { on, submit } from "#app/lib/submit.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Page } from "#app/ui/frame/page.tsx";

export const handle = {
  title: ADD_PERMISSION,
  crumb: { label: ADD_PERMISSION, under: () => PERMISSIONS_CRUMB },
} satisfies Handle;
const FEATURE = "settings.permissions" as const;

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await authorize(args, "write:permissions", { feature: FEATURE });
  return drawDraft(api, newDraft(newPermissionSearch.read(args.request)));
}

/** Saves it, or takes one of the form's own steps; whatever comes of it, what was typed stays. */
export async function action(args: ActionFunctionArgs) {
  const { api, user } = await authorize(args, "write:permissions", { feature: FEATURE });
  const { form } = await typedForm(args.request.clone());
  const drawn = drawDraft(api, draftOf(form));
  if (form.has("step")) return data({ ...(await drawn), result: undefined });
  const [answer, drawing] = await Promise.all([
    submit(args.request, {
      save: on(PermissionInput, async (input) => {
        await addPermission(api, input, user.id);
        return { to: permissionsPath(), toast: PERMISSION_ADDED };
      }),
    }),
    drawn,
  ]);
  if (answer instanceof Response) return answer;
  return data({ ...drawing, result: answer.data.result }, answer.init ?? {});
}

export default function NewPermissionPage() {
  const fresh = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <Page>
      <PermissionForm
        {...(answer ?? fresh)}
        result={answer?.result}
        isChanged={answer !== undefined}
        foot={<ButtonLink to={permissionsPath()}>Cancel</ButtonLink>}
      />
    </Page>
  );
}
