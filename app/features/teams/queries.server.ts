import { candidateRow, teamMemberRow, teamRow, type TeamRow } from "#app/contract/rows/teams.ts";
import { isId } from "#app/features/resources/list.server.ts";
import type { Api } from "#app/lib/api.server.ts";
import { eq, ilike, isNull, or, orderBy } from "#app/lib/filter.ts";

/** Somebody in a team, or who could be. */
export interface Member {
  id: string;
  name: string;
  email: string | null;
  avatar: string | null;
}

/** One that is not deleted, or null. */
export const findTeam = (api: Api, id: string | undefined): Promise<TeamRow | null> =>
  id && isId(id) ? api.find(teamRow, { id: eq(id), deleted_at: isNull }) : Promise.resolve(null);

/** The members of a team by name; accounts that are deleted are none. */
export async function listMembers(api: Api, teamId: string): Promise<Member[]> {
  const rows = await api.list(teamMemberRow, { team_id: eq(teamId) });
  return rows
    .flatMap(({ person }) => (person && !person.deleted_at ? [person] : []))
    .map(({ id, name, email, avatar }) => ({ id, name, email: email ?? null, avatar: avatar ?? null }))
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
}

/** More are found by their names. */
const CANDIDATES = 100;

/** Users who are not in the team, by name; of many the first hundred. */
export async function listCandidates(
  api: Api,
  teamId: string,
  query: string,
): Promise<{ people: Omit<Member, "avatar">[]; total: number }> {
  const { rows, total } = await api.page(candidateRow, {
    "team_members.team_id": eq(teamId),
    team_members: isNull,
    or: or([
      ["name", ilike(query)],
      ["email", ilike(query)],
    ]),
    order: orderBy("name.asc", "id"),
    limit: CANDIDATES,
  });
  return { people: rows.map(({ id, name, email }) => ({ id, name, email: email ?? null })), total };
}
