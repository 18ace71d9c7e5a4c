import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData } from "@remix-run/react";
import { teams } from "#app/features/resources/definitions/teams.ts";
import { listCrumb, resourcesPath } from "#app/features/resources/paths.ts";
import { addTeam } from "#app/features/teams/commands.server.ts";
import { NewTeam } from "#app/features/teams/forms.server.ts";
import { teamPath } from "#app/features/teams/paths.ts";
import { TeamForm } from "#app/features/teams/team-form.tsx";
import { authorize } from "#app/lib/authorize.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { on, submit } from "#app/lib/submit.server.ts";
import { Page } from "#app/ui/frame/page.tsx";

export const handle = {
  title: teams.add,
  crumb: { label: teams.add, under: () => listCrumb(teams) },
} satisfies Handle;

export async function loader(args: LoaderFunctionArgs) {
  await authorize(args, "write:database", { feature: teams.feature });
  return null;
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await authorize(args, "write:database", { feature: teams.feature });
  return submit(args.request, {
    save: on(NewTeam, async (team) => {
      const { id, name } = await addTeam(api, team);
      return { to: teamPath(id, { tab: "manageTeam" }), toast: `${name} added successfully` };
    }),
  });
}

export default function NewTeamPage() {
  const result = useActionData<typeof action>()?.result;
  return (
    <Page>
      <TeamForm team={null} result={result} closeTo={resourcesPath(teams.table)} />
    </Page>
  );
}
