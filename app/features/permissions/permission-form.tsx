import type { SubmissionResult } from "@conform-to/react";
import { Search } from "lucide-react";
import type { ReactNode } from "react";
import {
  ACTIONS_OF,
  KIND_LABELS,
  RESOURCE_KINDS,
  SUBJECT_KINDS,
  SUBJECT_LABELS,
} from "#app/contract/words/permissions.ts";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { FormFoot, FormSection, FormSheet, WIDE_FIELD } from "#app/ui/form-sheet.tsx";
import { FormHelper } from "#app/ui/form-helper.tsx";
import { CONTROL } from "#app/ui/parts/control.ts";
import { PostForm } from "#app/ui/post-form.tsx";
import { SegmentedChoice } from "#app/ui/segmented.tsx";
import { Select } from "#app/ui/select-field.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";
import type { DrawnDraft } from "./draft.server.ts";
import { actionLabel } from "./model.ts";

type FormProps = DrawnDraft & {
  result: SubmissionResult | undefined;
  /** An answer that was not saved. */
  isChanged: boolean;
  foot: ReactNode;
  danger?: ReactNode;
};
type Picker = DrawnDraft["resources"];

/** Adds or edits a permission (specification 3 §5). Kinds are buttons: what was typed goes along, the other ids go. */
export function PermissionForm({ draft, resources, subjects, result, isChanged, foot, danger }: FormProps) {
  const errors = (name: string) => result?.error?.[name] ?? null;
  const described = (name: string) => ({
    id: `permission-${name}`,
    name,
    "aria-describedby": `permission-${name}-error`,
    "aria-invalid": errors(name) ? true : undefined,
  });
  return (
    <PostForm intent="save" errors={errors("")} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <input type="hidden" name="seen" value={draft.seen} />
      <FormHelper isChanged={isChanged} focus={null} round={0} />
      <FormSheet>
        <FormSection title="Resource" lead="What it is about. A permission for a canary covers its checks.">
          <div className={WIDE_FIELD}>
            <SegmentedChoice
              label="Kind of resource"
              name="step"
              segments={RESOURCE_KINDS.map((kind) => ({
                value: `kind:${kind}`,
                label: KIND_LABELS[kind],
                current: kind === draft.kind,
              }))}
              field="kind"
              chosen={draft.kind}
              clears="resource"
            />
          </div>
          <Pick
            key={draft.kind}
            label={KIND_LABELS[draft.kind]}
            field={described("resource")}
            chosen={draft.resource}
            errors={errors("resource")}
            {...resources}
            find={{ name: "findResource", value: draft.findResource }}
          />
        </FormSection>
        <FormSection title="Subject" lead="Whom it is for: everybody of a team, or one person.">
          <div className={WIDE_FIELD}>
            <SegmentedChoice
              label="Kind of subject"
              name="step"
              segments={SUBJECT_KINDS.map((kind) => ({
                value: `subject:${kind}`,
                label: SUBJECT_LABELS[kind],
                current: kind === draft.subject,
              }))}
              field="subject"
              chosen={draft.subject}
              clears="who"
            />
          </div>
          <Pick
            key={draft.subject}
            label={SUBJECT_LABELS[draft.subject]}
            field={described("who")}
            chosen={draft.who}
            errors={errors("who")}
            {...subjects}
            find={{ name: "findWho", value: draft.findWho }}
          />
        </FormSection>
        <FormSection title="What they may" lead="A denial wins over everything that allows it.">
          <Field id="permission-action" label="Action" need="required" errors={errors("action")}>
            <Select
              key={`${draft.kind} ${draft.action}`}
              {...described("action")}
              aria-required
              defaultValue={draft.action}
              options={[
                { value: "", label: "Choose…" },
                ...ACTIONS_OF[draft.kind].map((action) => ({ value: action, label: actionLabel(action) })),
              ]}
            />
          </Field>
          <Field
            id="permission-until"
            label="Until (UTC)"
            need="optional"
            errors={errors("until")}
            hint="After that it says nothing any more."
          >
            <Input {...described("until")} type="datetime-local" defaultValue={draft.until} />
          </Field>
          <div className={WIDE_FIELD}>
            <Checkbox
              name="deny"
              value="on"
              defaultChecked={draft.deny}
              label="Deny"
              hint="Takes the action away instead of giving it."
            />
          </div>
          <Field
            id="permission-description"
            label="Description"
            need="optional"
            className={WIDE_FIELD}
            errors={errors("description")}
          >
            <textarea
              {...described("description")}
              rows={3}
              defaultValue={draft.description}
              className={CONTROL}
            />
          </Field>
        </FormSection>
      </FormSheet>
      <FormFoot danger={danger}>
        {foot}
        <SubmitButton intent="save" busy="Saving…">
          Save
        </SubmitButton>
      </FormFoot>
    </PostForm>
  );
}

/** A list to choose from and, where there is more than it shows, a way to narrow it. */
function Pick({
  label,
  field,
  chosen,
  errors,
  choices,
  more,
  find,
}: Picker & {
  label: string;
  field: { id: string; name: string };
  chosen: string;
  errors: readonly string[] | null;
  find: { name: string; value: string };
}) {
  const isNarrowed = more || find.value !== "";
  return (
    <>
      <Field
        id={field.id}
        label={label}
        need="required"
        errors={errors}
        hint={
          more ? "There are more: find them by name." : choices.length === 0 ? "There is none." : undefined
        }
      >
        <Select
          key={`${chosen} ${choices.length} ${find.value}`}
          {...field}
          aria-required
          defaultValue={chosen}
          options={[
            { value: "", label: "Choose…" },
            ...choices.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      </Field>
      {isNarrowed ? (
        <Field id={find.name} label={`Find a ${label.toLowerCase()}`}>
          <span className="flex gap-2">
            <Input id={find.name} name={find.name} defaultValue={find.value} autoComplete="off" />
            <Button name="step" value="find" icon aria-label={`Find a ${label.toLowerCase()}`}>
              <Search aria-hidden="true" />
            </Button>
          </span>
        </Field>
      ) : null}
    </>
  );
}
