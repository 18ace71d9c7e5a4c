import type { SubmissionResult } from "@conform-to/react";
import { MOST_AFTER_FAILURES, RECIPIENT_KINDS } from "#app/contract/words/notifications.ts";
import { Field, Input } from "#app/ui/field.tsx";
import { FormSection, FormSheet } from "#app/ui/form-sheet.tsx";
import { PostForm } from "#app/ui/post-form.tsx";
import { Select } from "#app/ui/select-field.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";
import type { NotifyCheck } from "./queries.server.ts";

type NotifyFormProps = {
  checks: readonly NotifyCheck[];
  /** The check that was come from. */
  chosen: string;
  /** What a refused form said; what was typed is kept. */
  result: SubmissionResult | undefined;
};

/** A new rule. Plain fields: the form is short, and one that is refused comes back with what was typed. */
export function NotifyForm({ checks, chosen, result }: NotifyFormProps) {
  const errors = (name: string) => result?.error?.[name] ?? null;
  const typed = (name: string, fallback: string) => String(result?.initialValue?.[name] ?? fallback);
  const described = (id: string, name: string) => ({
    id,
    name,
    "aria-describedby": `${id}-error`,
    "aria-invalid": errors(name) ? true : undefined,
  });
  const about = checks.some(({ id }) => id === chosen) ? chosen : "canary";
  return (
    <PostForm intent="add" errors={result?.error?.[""]} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <FormSheet>
        <FormSection
          title="Tell somebody"
          lead="One message when a check turns unhealthy, one when it is well again."
        >
          <Field id="notify-about" label="About" errors={errors("about")}>
            <Select
              {...described("notify-about", "about")}
              defaultValue={typed("about", about)}
              options={[
                { value: "canary", label: "Every check of the canary" },
                ...checks.map(({ id, name, type }) => ({ value: id, label: `${name} (${type})` })),
              ]}
            />
          </Field>
          <Field id="notify-after" label="After failures in a row" errors={errors("after")}>
            <Input
              {...described("notify-after", "after")}
              type="number"
              min={1}
              max={MOST_AFTER_FAILURES}
              defaultValue={typed("after", "1")}
            />
          </Field>
          <Field id="notify-kind" label="By" errors={errors("kind")}>
            <Select
              {...described("notify-kind", "kind")}
              defaultValue={typed("kind", "email")}
              options={RECIPIENT_KINDS}
            />
          </Field>
          <Field
            id="notify-to"
            label="To"
            need="required"
            errors={errors("to")}
            hint="An e-mail address, an address that begins with https://, or connection://namespace/name"
          >
            <Input
              {...described("notify-to", "to")}
              required
              autoComplete="off"
              defaultValue={typed("to", "")}
            />
          </Field>
        </FormSection>
      </FormSheet>
      <div className="flex justify-end">
        <SubmitButton intent="add" busy="Adding…" look="primary">
          Add
        </SubmitButton>
      </div>
    </PostForm>
  );
}
