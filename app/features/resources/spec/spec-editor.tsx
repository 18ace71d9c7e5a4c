import { Braces, FlaskConical, TextCursorInput, Trash2 } from "lucide-react";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { FormHelper } from "#app/ui/form-helper.tsx";
import { FieldGroup } from "#app/ui/field-parts.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { FormFoot, FormSection, FormSheet, WIDE_FIELD } from "#app/ui/form-sheet.tsx";
import { PostForm } from "#app/ui/post-form.tsx";
import { SegmentedButtons } from "#app/ui/segmented.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";
import { CodePart } from "./code-part.tsx";
import { idOf, PairRows, wrong } from "./controls.tsx";
import { entryName, OF_ENTRY, OF_RESOURCE, OF_SETTINGS, type Answer, type Drawing } from "./draft.ts";
import { FieldList } from "./field-list.tsx";
import { Findings, Tested } from "./findings.tsx";
import { sectionsOf } from "./sections.ts";

type EditorProps = Drawing & {
  answer: Answer;
  /** Name and namespace are fixed once it exists. */
  isNew: boolean;
  closeTo: string;
  /** Where the question before a deletion is asked; absent for what does not exist yet. */
  deleteTo?: string;
  canTest: boolean;
};

/**
 * The form of anything with a spec that is written by type: who it is, the spec as fields or as code, and what can be
 * done with it (specification 3 §4, §5). One POST for all of it; every button works without script.
 */
export function SpecEditor({ answer, isNew, closeTo, deleteTo, canTest, ...drawing }: EditorProps) {
  const { draft, focus, conflict } = answer;
  return (
    <PostForm key={draft.round} intent="save" className="group/spec grid gap-4">
      <input type="hidden" name="as" value={draft.as} />
      <input type="hidden" name="base" value={JSON.stringify(draft.base)} />
      <input type="hidden" name="at" value={draft.at ? entryName(draft.at) : ""} />
      <input type="hidden" name="seen" value={draft.seen} />
      <input type="hidden" name="round" value={draft.round} />
      <FormHelper
        isChanged={draft.round > 0}
        focus={focus === null ? null : idOf(focus)}
        round={draft.round}
        mirror={{ from: idOf(`${OF_RESOURCE}.name`), to: idOf(`${OF_ENTRY}.name`) }}
      />
      <Findings answer={answer} />
      {answer.tested ? <Tested checks={answer.tested} /> : null}
      <FormSheet>
        <Identity answer={answer} isNew={isNew} />
      </FormSheet>
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="mr-auto">{drawing.title}</h2>
        {draft.as === "form" ? <Entries answer={answer} {...drawing} /> : null}
        <SegmentedButtons
          label="How the spec is written"
          name="step"
          segments={[
            {
              value: "form",
              label: "Form",
              icon: <TextCursorInput aria-hidden="true" />,
              current: draft.as === "form",
            },
            {
              value: "code",
              label: "Code",
              icon: <Braces aria-hidden="true" />,
              current: draft.as === "code",
            },
          ]}
        />
      </div>
      {draft.as === "code" ? <CodePart answer={answer} /> : <FormPart answer={answer} {...drawing} />}
      <FormFoot
        danger={
          deleteTo ? (
            <ButtonLink to={deleteTo} look="quiet" className="text-unhealthy-ink" preventScrollReset>
              <Trash2 aria-hidden="true" />
              Delete
            </ButtonLink>
          ) : null
        }
      >
        <ButtonLink to={closeTo} look="quiet">
          {isNew ? "Back" : "Cancel"}
        </ButtonLink>
        {canTest ? (
          <Button name="step" value="test">
            <FlaskConical aria-hidden="true" />
            Test
          </Button>
        ) : null}
        {conflict ? (
          <Button name="step" value="anyway">
            Save anyway
          </Button>
        ) : null}
        <SubmitButton intent="save" busy={isNew ? "Saving…" : "Updating…"}>
          {isNew ? "Save" : "Update"}
        </SubmitButton>
      </FormFoot>
    </PostForm>
  );
}

function Identity({ answer: { draft, problems }, isNew }: Pick<EditorProps, "answer" | "isNew">) {
  const { values } = draft;
  const at = (field: string) => `${OF_RESOURCE}.${field}`;
  const errorsOf = (field: string) =>
    problems.filter(({ name }) => name === at(field)).map(({ message }) => message);
  const line = (field: "name" | "namespace") => ({
    id: idOf(at(field)),
    name: at(field),
    defaultValue: values[at(field)] ?? "",
    readOnly: !isNew,
    autoComplete: "off",
    autoCapitalize: "none",
    spellCheck: false,
    ...wrong(at(field), errorsOf(field).length > 0),
  });
  return (
    <FormSection
      title="Identity"
      lead={isNew ? "What it is called." : "Name and namespace are fixed once it exists."}
    >
      <Field label="Name" id={idOf(at("name"))} need="required" errors={errorsOf("name")}>
        <Input {...line("name")} aria-required />
      </Field>
      <Field label="Namespace" id={idOf(at("namespace"))} errors={errorsOf("namespace")}>
        <Input {...line("namespace")} placeholder="default" />
      </Field>
      <FieldGroup
        label="Labels"
        id={idOf(at("labels@all"))}
        errors={errorsOf("labels")}
        className={WIDE_FIELD}
      >
        <PairRows path={at("labels")} values={values} label="Labels" />
      </FieldGroup>
    </FormSection>
  );
}

/** Which of several entries the form shows. */
function Entries({ answer: { draft }, entries }: Pick<EditorProps, "answer" | "entries">) {
  if (entries.length < 2) return null;
  const current = draft.at ? entryName(draft.at) : "";
  return (
    <SegmentedButtons
      label="Which check"
      name="step"
      segments={entries.map(({ name, label }) => ({
        value: `entry:${name}`,
        label,
        current: name === current,
      }))}
    />
  );
}

function FormPart({ answer, settings, fields }: Pick<EditorProps, "answer" | "settings" | "fields">) {
  const { values } = answer.draft;
  const problems = new Map<string, string[]>();
  for (const { name, message } of answer.problems)
    problems.set(name, [...(problems.get(name) ?? []), message]);
  const draw = { values, problems };
  const plan = sectionsOf(settings, fields ?? []);
  const isIn = (path: string, names: readonly { name: string }[]) =>
    names.some(({ name }) => [...problems.keys()].some((key) => key.startsWith(`${path}.${name}`)));
  return (
    <FormSheet>
      <FormSection title="Check" lead="How it is shown, and when it runs.">
        <FieldList fields={plan.first.slice(0, 2)} path={OF_ENTRY} {...draw} />
        <FieldList fields={plan.settings} path={OF_SETTINGS} {...draw} />
        <FieldList fields={plan.first.slice(2)} path={OF_ENTRY} {...draw} />
      </FormSection>
      {plan.rest.map((section) =>
        section.isFolded ? (
          <details key={section.title} open={isIn(OF_ENTRY, section.fields) || isIn(OF_SETTINGS, plan.more)}>
            <summary className="px-5 py-4 font-semibold hover:bg-hover max-sm:px-4">{section.title}</summary>
            <FormSection title="Rarely needed">
              <FieldList fields={plan.more} path={OF_SETTINGS} {...draw} />
              <FieldList fields={section.fields} path={OF_ENTRY} {...draw} />
            </FormSection>
          </details>
        ) : (
          <FormSection
            key={section.title}
            title={section.title}
            {...(section.lead ? { lead: section.lead } : {})}
          >
            <FieldList fields={section.fields} path={OF_ENTRY} {...draw} />
          </FormSection>
        ),
      )}
    </FormSheet>
  );
}
