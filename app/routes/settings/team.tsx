import { data, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { NO_RESOURCE } from "#app/contract/words/resources.ts";
import { TEAM_ICON } from "#app/contract/words/teams.ts";
import { deleteResource } from "#app/features/resources/commands.server.ts";
import { teams } from "#app/features/resources/definitions/teams.ts";
import { DeleteResource } from "#app/features/resources/delete-dialog.tsx";
import { listCrumb, resourcesPath } from "#app/features/resources/paths.ts";
import { isOurs, notOurs } from "#app/features/resources/source.ts";
import { writeSpec } from "#app/features/resources/spec/yaml.server.ts";
import { addMembers, changeTeam, removeMember } from "#app/features/teams/commands.server.ts";
import { AddedMembers, RemovedMember, TeamChanges } from "#app/features/teams/forms.server.ts";
import { AddMembers, Members } from "#app/features/teams/members.tsx";
import { teamPath, teamSearch } from "#app/features/teams/paths.ts";
import { findTeam, listCandidates, listMembers } from "#app/features/teams/queries.server.ts";
import { TeamForm } from "#app/features/teams/team-form.tsx";
import { afterConflict } from "#app/lib/after-conflict.ts";
import { authorize } from "#app/lib/authorize.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { refusalOf } from "#app/lib/plain-form.ts";
import { on, permitted, submit } from "#app/lib/submit.server.ts";
import { CodeBlock } from "#app/ui/code-block.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Page, Panel } from "#app/ui/frame/page.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Tabs } from "#app/ui/tabs.tsx";

/** Without an answer of the backend nobody knows whether there is such a team. */
const nameOf = (given: unknown) => (given ? ((given as TeamData).team?.name ?? NO_RESOURCE) : teams.name);

export const handle = {
  title: nameOf,
  crumb: { label: nameOf, under: () => listCrumb(teams) },
  refresh: true,
} satisfies Handle;
export const shouldRevalidate = afterConflict;
const FEATURE = { feature: teams.feature };

export async function loader(args: LoaderFunctionArgs) {
  const { api, can } = await authorize(args, "read:database", FEATURE);
  const search = teamSearch.read(args.request);
  const row = await findTeam(api, args.params["id"]);
  if (!row) return data({ search, team: null }, { status: 404 });
  const canWrite = can("write:database");
  const isMembers = search.tab === "manageTeam";
  const [members, candidates] = await Promise.all([
    isMembers ? listMembers(api, row.id) : [],
    isMembers && search.add && canWrite ? listCandidates(api, row.id, search.query) : null,
  ]);
  const { id, name, icon, spec, updated_at } = row;
  const code = spec && Object.keys(spec).length > 0 ? writeSpec(spec) : "";
  const team = { id, name, icon: icon || TEAM_ICON, code, seen: updated_at ?? "", origin: notOurs(row) };
  return { search, team, members, candidates, canWrite };
}
type TeamData = ReturnType<typeof useLoaderData<typeof loader>>;

export async function action(args: ActionFunctionArgs) {
  const { api } = await authorize(args, "write:database", FEATURE);
  const row = await findTeam(api, args.params["id"]);
  if (!row) throw new Response(NO_RESOURCE, { status: 404 });
  const { id, name } = row;
  const members = teamPath(id, { tab: "manageTeam" });
  return submit(args.request, {
    save: permitted(
      isOurs(row),
      on(TeamChanges, async (changes) => {
        await changeTeam(api, id, changes);
        return { to: resourcesPath(teams.table), toast: `${name} updated successfully` };
      }),
    ),
    delete: permitted(
      isOurs(row),
      on(z.object({}), async () => {
        await deleteResource(api, teams, id, new Date());
        return {
          to: resourcesPath(teams.table, { deleted: id }),
          toast: `${teams.name} deleted successfully`,
        };
      }),
    ),
    "add-members": on(AddedMembers, async ({ people }) => {
      return { to: members, toast: await addMembers(api, id, people) };
    }),
    "remove-member": on(RemovedMember, async ({ person }) => {
      return { to: members, toast: await removeMember(api, id, person) };
    }),
  });
}

export default function TeamPage() {
  const page = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  if (!page.team)
    return (
      <Page>
        <Panel label={teams.name}>
          <Empty>{NO_RESOURCE}</Empty>
        </Panel>
      </Page>
    );
  const { search, team, members, candidates, canWrite } = page;
  const { id, name } = team;
  const to = (values: Partial<typeof search>) => teamPath(id, values);
  const isMembers = search.tab === "manageTeam";
  const refusal = refusalOf(result, "remove-member");
  return (
    <Page>
      <Tabs
        label={name}
        tabs={[
          { to: to({}), label: "Spec", current: !isMembers },
          { to: to({ tab: "manageTeam" }), label: "Members", current: isMembers },
        ]}
      />
      {refusal ? <Notice tone="unhealthy">{refusal.join(" ")}</Notice> : null}
      {isMembers ? (
        <Panel label="Members">
          <Members teamId={id} icon={team.icon} members={members} canWrite={canWrite} />
        </Panel>
      ) : canWrite && !team.origin ? (
        <TeamForm
          key={team.seen}
          team={team}
          result={result}
          closeTo={resourcesPath(teams.table)}
          deleteTo={to({ confirm: "delete" })}
        />
      ) : (
        <>
          {team.origin ? <Notice tone="info">{team.origin}. It is changed where it was made.</Notice> : null}
          <CodeBlock label="Spec" language="yaml" code={team.code || "# nothing yet"} />
        </>
      )}
      {candidates ? (
        <AddMembers teamId={id} query={search.query} candidates={candidates} result={result} />
      ) : null}
      {search.confirm === "delete" && canWrite && !team.origin ? (
        <DeleteResource
          name={name}
          deletes={teams.deletes}
          closeTo={to({})}
          errors={refusalOf(result, "delete")}
        />
      ) : null}
    </Page>
  );
}
