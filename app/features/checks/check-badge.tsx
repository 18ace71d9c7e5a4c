import { CodeBlock } from "#app/ui/code-block.tsx";
import { badgePath } from "./badge.ts";
import { checkPath, healthSearch, listPath } from "./paths.ts";
import type { CheckInDrawer } from "./drawer.server.ts";

const LIST = healthSearch.read(new URLSearchParams());

/** Pictures for pages elsewhere: of this check and of its group, with the Markdown that shows them. */
export function CheckBadge({ check, origin }: { check: CheckInDrawer; origin: string }) {
  const { canary } = check;
  return (
    <>
      <Badge
        title="This check"
        label="Markdown of this check"
        name={check.displayName}
        image={origin + badgePath("check", check.id)}
        to={origin + checkPath(LIST, check.id)}
      />
      {canary ? (
        <Badge
          title={`Its group, ${canary.name}`}
          label="Markdown of its group"
          name={canary.name}
          image={origin + badgePath("group", canary.name)}
          to={origin + listPath(LIST, { query: canary.name, hidePassing: false })}
        />
      ) : null}
      <p className="text-xs text-muted">
        <code>?show=status</code> or <code>?show=uptime</code> leaves the other out, <code>?range=1mo</code>{" "}
        counts a month instead of a day, <code>?label=…</code> says other words. Who is not signed in sees a
        badge only where the property <code>badges.public</code> is <code>true</code>.
      </p>
    </>
  );
}

type BadgeProps = { title: string; label: string; name: string; image: string; to: string };

function Badge({ title, label, name, image, to }: BadgeProps) {
  const words = name.replace(/[[\]\\]/g, "\\$&");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <h4 className="font-medium">{title}</h4>
        <img src={new URL(image).pathname} alt={`Badge of ${name}`} height={20} className="h-5 max-w-full" />
      </div>
      <CodeBlock code={`[![${words}](${image})](${to})`} label={label} />
    </div>
  );
}
