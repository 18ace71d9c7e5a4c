/** Words of teams that the specification fixes (3 §8, facts/ui-screens §7.1). Plain values. */
export const TEAM_WORDS = {
  noMembers: "You haven't added any team members to the team yet.",
  removed: (name: string) => `${name} removed from team successfully`,
  added: (names: readonly string[]) => `${names.join(", ")} added to the team successfully`,
} as const;

/** A team without an icon of its own. */
export const TEAM_ICON = "group";
