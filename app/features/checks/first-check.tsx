import { Plus } from "lucide-react";
import { Field, Input } from "#app/ui/field.tsx";
import { PostForm } from "#app/ui/post-form.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";

type FirstCheckProps = {
  /** What was typed, when it was refused. */
  url?: string | undefined;
  /** Of the address, and of the whole form. */
  errors?: { url?: readonly string[] | null | undefined; form?: readonly string[] | null | undefined };
};

/** A first check in one field: the address of something to watch. */
export function FirstCheck({ url = "", errors = {} }: FirstCheckProps) {
  const wrong = Boolean(errors.url?.length);
  return (
    <PostForm intent="add" errors={errors.form} className="grid gap-3 px-5 py-4 max-sm:px-4">
      <div>
        <h2>What should be watched first?</h2>
        <p className="text-muted">
          Give an address. It is asked every 30 seconds, and its first result is there within seconds.
        </p>
      </div>
      <div className="flex flex-wrap items-start gap-2">
        <Field label="Address" id="url" errors={errors.url} className="min-w-60 flex-[0_1_32rem]">
          <Input
            key={url}
            id="url"
            name="url"
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="https://shop.example/health"
            defaultValue={url}
            required
            aria-invalid={wrong || undefined}
            aria-describedby="url-error"
          />
        </Field>
        <span className="mt-5.5">
          <SubmitButton intent="add" busy="Adding…" icon={<Plus aria-hidden="true" />}>
            Watch it
          </SubmitButton>
        </span>
      </div>
    </PostForm>
  );
}
