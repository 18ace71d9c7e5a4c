import type { z } from "zod";
import { membershipRow, teamRow, userNameRow, type TeamRow } from "#app/contract/rows/teams.ts";
import { TEAM_WORDS } from "#app/contract/words/teams.ts";
import type { Api } from "#app/lib/api.server.ts";
import { eq, inList, orderBy } from "#app/lib/filter.ts";
import { UpstreamError } from "#app/lib/upstream-error.ts";
import type { NewTeam, TeamChanges } from "./forms.server.ts";
import { listMembers } from "./queries.server.ts";

/** Adds a team; throws UpstreamError in words when its name is taken. */
export async function addTeam(api: Api, { name, icon, spec }: z.output<typeof NewTeam>): Promise<TeamRow> {
  try {
    return await api.insert(teamRow, { name, icon, spec, source: "UI" });
  } catch (error) {
    if (error instanceof UpstreamError && error.code === "23505")
      throw new UpstreamError(409, `There is a team named "${name}" already.`);
    throw error;
  }
}

/** Throws Conflict when somebody changed it since it was `seen`. */
export const changeTeam = (
  api: Api,
  id: string,
  { icon, spec, seen }: z.output<typeof TeamChanges>,
): Promise<TeamRow> => api.update(teamRow, id, { icon, spec }, seen ? { seen } : {});

/** Adds users to a team, all or none, and says so with their names. Who is in it already stays in it. */
export async function addMembers(api: Api, teamId: string, people: readonly string[]): Promise<string> {
  const [members, users] = await Promise.all([
    listMembers(api, teamId),
    api.list(userNameRow, { id: inList(people), order: orderBy("name.asc") }),
  ]);
  const inside = new Set(members.map(({ id }) => id));
  const added = users.filter(({ id }) => !inside.has(id));
  if (added.length === 0) throw new UpstreamError(409, "They are in the team already.");
  const rows = added.map(({ id }) => ({ team_id: teamId, person_id: id }));
  await api.insertMany(membershipRow, rows);
  return TEAM_WORDS.added(added.map(({ name }) => name));
}

/** Takes somebody out of this team and of no other (specification 3 §7.2 names the person only). */
export async function removeMember(api: Api, teamId: string, personId: string): Promise<string> {
  const member = (await listMembers(api, teamId)).find(({ id }) => id === personId);
  if (!member) throw new UpstreamError(404, "That user is not in the team any more.");
  await api.remove("team_members", { team_id: eq(teamId), person_id: eq(personId) });
  return TEAM_WORDS.removed(member.name);
}
