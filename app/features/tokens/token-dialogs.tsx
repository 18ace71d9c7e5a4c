import type { SubmissionResult } from "@conform-to/react";
import type { CreatedToken, TokenRow } from "#app/contract/rows/tokens.ts";
import { DEFAULT_LIFETIME, LIFETIMES, SHOWN_ONCE } from "#app/contract/words/tokens.ts";
import { plainForm } from "#app/lib/plain-form.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { When } from "#app/ui/marks/time.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { PostForm } from "#app/ui/post-form.tsx";
import { Select } from "#app/ui/select-field.tsx";
import { ShownOnce } from "#app/ui/shown-once.tsx";

/** Asks for a name and a lifetime. */
export function NewTokenDialog({
  closeTo,
  result,
}: {
  closeTo: string;
  result: SubmissionResult | undefined;
}) {
  const { refusal, errors, typed, field } = plainForm(result, "create");
  return (
    <Dialog title="Create access token" size="small" closeTo={closeTo}>
      <PostForm intent="create" errors={refusal} className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <Field
          id="token-name"
          label="Name"
          need="required"
          errors={errors("name")}
          hint="What it is for, so that you know it again"
        >
          <Input
            {...field("token-name", "name")}
            required
            autoComplete="off"
            placeholder="ci-pipeline"
            defaultValue={typed("name")}
          />
        </Field>
        <Field
          id="token-lifetime"
          label="Expires after"
          errors={errors("lifetime")}
          hint="Whoever has it may do what you may, until then"
        >
          <Select
            {...field("token-lifetime", "lifetime")}
            defaultValue={typed("lifetime", DEFAULT_LIFETIME)}
            options={LIFETIMES}
          />
        </Field>
        <div className="flex flex-wrap justify-end gap-2">
          <ButtonLink to={closeTo} preventScrollReset>
            Cancel
          </ButtonLink>
          <Button look="primary">Create</Button>
        </div>
      </PostForm>
    </Dialog>
  );
}

/** The secret, this once (specification 1 §8). */
export function CreatedTokenDialog({ created, closeTo }: { created: CreatedToken; closeTo: string }) {
  return (
    <Dialog
      title="Access token created"
      size="small"
      closeTo={closeTo}
      foot={
        <ButtonLink to={closeTo} look="primary" preventScrollReset>
          I have copied it
        </ButtonLink>
      }
    >
      <Notice tone="warning">{SHOWN_ONCE}</Notice>
      <ShownOnce
        id="created-token"
        label={created.name}
        text={created.token}
        copyLabel="Copy the access token"
      />
      <p className="text-muted">
        {created.expires_at ? (
          <>
            It ends on <When at={created.expires_at} />.
          </>
        ) : (
          "It does not end by itself: revoke it when it is not used any more."
        )}{" "}
        Send it as <code className="font-mono text-xs">Authorization: Bearer …</code>, or as the password of
        the user <code className="font-mono text-xs">token</code>.
      </p>
    </Dialog>
  );
}

/** The question before a token ends. */
export function RevokeDialog({
  token,
  closeTo,
  errors,
}: {
  token: TokenRow;
  closeTo: string;
  errors: readonly string[] | null | undefined;
}) {
  return (
    <Dialog title="Revoke access token" size="small" closeTo={closeTo}>
      <p>
        <strong className="font-medium wrap-anywhere">{token.name}</strong> stops working at once, for
        whatever still uses it. This cannot be undone.
      </p>
      <PostForm intent="revoke" errors={errors} className="flex flex-wrap justify-end gap-2">
        <input type="hidden" name="id" value={token.id} />
        <ButtonLink to={closeTo} preventScrollReset>
          Keep it
        </ButtonLink>
        <Button look="danger">Revoke</Button>
      </PostForm>
    </Dialog>
  );
}
