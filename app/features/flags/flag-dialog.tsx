import type { SubmissionResult } from "@conform-to/react";
import { plainForm, refusalOf } from "#app/lib/plain-form.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { PostForm } from "#app/ui/post-form.tsx";
import type { Flag } from "./model.ts";
import { flagsPath } from "./paths.ts";

type FlagDialogProps = {
  /** The one that is changed; null: a new one. */
  flag: Flag | null;
  /** What a refused form said; what was typed is kept. */
  result: SubmissionResult | undefined;
};

/** Adds or changes a property (specification 3 §2.2, facts/ui-screens §7.8). Removing it is a form beside. */
export function FlagDialog({ flag, result }: FlagDialogProps) {
  const intent = flag ? "change" : "add";
  const { isRefused, refusal, errors, typed, field } = plainForm(result, intent);
  const isTheirs = flag !== null && isRefused && typed("value") !== flag.value;
  const theirs = isTheirs ? `Saved is now: ${flag.value}` : undefined;
  const common = { required: true, autoComplete: "off" };
  return (
    <Dialog title={flag ? "Edit Feature Flag" : "Add Feature Flag"} size="small" closeTo={flagsPath()}>
      <PostForm intent={intent} errors={refusal} className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {flag ? <input type="hidden" name="was" value={flag.name} /> : null}
        {flag ? <input type="hidden" name="seen" value={flag.seen} /> : null}
        <Field id="flag-name" label="Feature flag" need="required" errors={errors("name")}>
          <Input
            {...field("flag-name", "name")}
            {...common}
            defaultValue={typed("name", flag?.name)}
            placeholder="check.status.retention.days"
          />
        </Field>
        <Field id="flag-value" label="Value" need="required" errors={errors("value")} hint={theirs}>
          <Input {...field("flag-value", "value")} {...common} defaultValue={typed("value", flag?.value)} />
        </Field>
        <div className="flex flex-wrap justify-end gap-2">
          <ButtonLink to={flagsPath()} preventScrollReset>
            Cancel
          </ButtonLink>
          <Button look="primary">{flag ? "Update" : "Save"}</Button>
        </div>
      </PostForm>
      {flag ? (
        <PostForm
          intent="remove"
          errors={refusalOf(result, "remove")}
          className="flex flex-wrap items-center gap-3 border-t border-line pt-4"
        >
          <input type="hidden" name="was" value={flag.name} />
          <p className="min-w-0 flex-1 text-muted">Without it the product does what it does by itself.</p>
          <Button look="danger">Delete</Button>
        </PostForm>
      ) : null}
    </Dialog>
  );
}
