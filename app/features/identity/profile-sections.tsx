import { PROFILE_OTHER, PROFILE_SECTIONS } from "#app/contract/words/auth.ts";
import { FormSection, FormSheet, WIDE_FIELD } from "#app/ui/form-sheet.tsx";
import { formsOf } from "./flow-forms.ts";
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
    ...PROFILE_SECTIONS.map(({ title, lead, groups }) => ({
      title,
      lead,
      parts: groups.flatMap((group) => parts.filter((part) => part.group === group)),
    })),
    { title: PROFILE_OTHER, lead: undefined, parts: parts.filter(({ group }) => !foreseen.has(group)) },
  ];
  return (
    <>
      <FormSheet>
        {sections.map(({ title, lead, parts: own }) =>
          own.length > 0 ? (
            <FormSection key={title} title={title} {...(lead ? { lead } : {})}>
              <div
                className={`${WIDE_FIELD} grid max-w-md content-start gap-5 sm:[&_button]:justify-self-start`}
              >
                {own.map((part) => (
                  <FlowPartForm key={part.group} flow={flow} part={part} action={action} look="secondary" />
                ))}
              </div>
            </FormSection>
          ) : null,
        )}
      </FormSheet>
      <FlowScripts flow={flow} />
    </>
  );
}
