import type { SubmissionResult } from "@conform-to/react";
import { TEAM_ICON } from "#app/contract/words/teams.ts";
import { plainForm } from "#app/lib/plain-form.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { CodeEditor } from "#app/ui/code-editor.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { FormFoot, FormSection, FormSheet, WIDE_FIELD } from "#app/ui/form-sheet.tsx";
import { FormHelper } from "#app/ui/form-helper.tsx";
import { PostForm } from "#app/ui/post-form.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";

/** Pictures that suit a team; any other name of one may be typed. */
const ICONS = [
  TEAM_ICON,
  "server",
  "database",
  "network",
  "shield",
  "aws",
  "azure",
  "k8s",
  "terraform",
  "grafana",
];

type TeamFormProps = {
  /** The one that is changed; null: a new one. */
  team: { name: string; icon: string; code: string; seen: string } | null;
  result: SubmissionResult | undefined;
  closeTo: string;
  /** Where its deletion is asked about. */
  deleteTo?: string;
};

/** Name, icon and spec of a team (facts/ui-screens §7.1). A name is given once. */
export function TeamForm({ team, result, closeTo, deleteTo }: TeamFormProps) {
  const { isRefused, refusal, errors, typed, field } = plainForm(result, "save");
  return (
    <PostForm intent="save" errors={refusal} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {team ? <input type="hidden" name="seen" value={team.seen} /> : null}
      <FormSheet>
        <FormSection title="Team" lead="Who it is, in lists and on cards.">
          <Field id="team-name" label="Name" need={team ? undefined : "required"} errors={errors("name")}>
            {team ? (
              <Input id="team-name" aria-describedby="team-name-error" disabled value={team.name} readOnly />
            ) : (
              <Input
                {...field("team-name", "name")}
                required
                autoComplete="off"
                defaultValue={typed("name")}
              />
            )}
          </Field>
          <Field
            id="team-icon"
            label="Icon"
            need="optional"
            errors={errors("icon")}
            hint="The name of a picture, like group or database"
          >
            <Input
              {...field("team-icon", "icon")}
              list="team-icons"
              autoComplete="off"
              defaultValue={typed("icon", team?.icon ?? TEAM_ICON)}
            />
            <datalist id="team-icons">
              {ICONS.map((icon) => (
                <option key={icon} value={icon} />
              ))}
            </datalist>
          </Field>
        </FormSection>
        <FormSection title="Spec" lead="What it answers for, as YAML. It may stay empty.">
          <Field id="team-spec" label="Spec" errors={errors("spec")} className={WIDE_FIELD}>
            <CodeEditor
              {...field("team-spec", "spec")}
              language="yaml"
              rows={10}
              defaultValue={typed("spec", team?.code)}
            />
          </Field>
        </FormSection>
      </FormSheet>
      <FormFoot
        danger={
          deleteTo ? (
            <ButtonLink to={deleteTo} preventScrollReset>
              Delete
            </ButtonLink>
          ) : null
        }
      >
        <ButtonLink to={closeTo}>Cancel</ButtonLink>
        <SubmitButton intent="save" busy="Saving…">
          {team ? "Update" : "Save"}
        </SubmitButton>
      </FormFoot>
      <FormHelper isChanged={isRefused} focus={null} round={0} />
    </PostForm>
  );
}
