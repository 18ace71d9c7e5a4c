import { PROFILE_OTHER, PROFILE_SECTIONS } from "#app/contract/words/auth.ts";
import { Card } from "#app/ui/card.tsx";
import { formsOf, type FlowPart } from "./flow-forms.ts";
import { FlowPartForm, FlowScripts } from "./flow-form.tsx";
import type { FlowView } from "./flow-view.ts";

/**
 * The settings flow in the sections of the specification (1 §2), each with the forms of its groups. A section without
 * anything to set is not there; groups nobody foresaw come last.
 */
export function ProfileSections({ flow, action }: { flow: FlowView; action: string }) {
  const parts = formsOf(flow);
  const foreseen = new Set(PROFILE_SECTIONS.flatMap(({ groups }) => groups));
  const sections = [
    ...PROFILE_SECTIONS.map(({ title, groups }) => ({
      title,
      parts: groups.flatMap((group) => parts.filter((part) => part.group === group)),
    })),
    { title: PROFILE_OTHER, parts: parts.filter(({ group }) => !foreseen.has(group)) },
  ];
  return (
    <>
      {sections.map(({ title, parts: own }) =>
        own.length > 0 ? (
          <ProfileSection key={title} title={title} parts={own} flow={flow} action={action} />
        ) : null,
      )}
      <FlowScripts flow={flow} />
    </>
  );
}

function ProfileSection({
  title,
  parts,
  flow,
  action,
}: {
  title: string;
  parts: FlowPart[];
  flow: FlowView;
  action: string;
}) {
  return (
    <Card title={title}>
      <div className="grid max-w-(--form-width) gap-5">
        {parts.map((part) => (
          <FlowPartForm key={part.group} flow={flow} part={part} action={action} look="secondary" />
        ))}
      </div>
    </Card>
  );
}
