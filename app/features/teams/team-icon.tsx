import { Users } from "lucide-react";
import { TEAM_ICON } from "#app/contract/words/teams.ts";

/** What the name of a picture may hold; anything else is drawn as a group. */
const NAME = /^[\w.:-]{1,80}$/;

/** For the eye only: the team's name stands beside it. */
export function TeamIcon({ icon }: { icon: string | null | undefined }) {
  if (!icon || icon === TEAM_ICON || !NAME.test(icon))
    return <Users aria-hidden="true" className="size-4 flex-none text-faint" />;
  return (
    <img
      src={`/icons/${encodeURIComponent(icon)}.svg`}
      alt=""
      width={16}
      height={16}
      loading="lazy"
      className="size-4 flex-none"
    />
  );
}
