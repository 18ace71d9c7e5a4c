import { Button, buttonClass, type ButtonLook } from "#app/ui/button.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select-field.tsx";
import { When } from "#app/ui/marks/time.tsx";
import type { FlowCode, FlowField, FlowInput, FlowSubmit } from "./flow-view.ts";

interface Piece {
  field: FlowField;
  /** Of the form it stands in: two forms of a page may have fields of one name. */
  scope: string;
  look: ButtonLook;
  /** Sends the form without asking for what it requires. */
  skips: boolean;
  isPending: boolean;
}

/** One node of a flow: what it is called and what it looks like is the identity service's word. */
export function FlowPiece({ field, scope, look, skips, isPending }: Piece) {
  switch (field.kind) {
    case "hidden":
      return <input type="hidden" name={field.name} defaultValue={field.value} />;
    case "submit":
      if (field.removes) return <FlowKey field={field} removes={field.removes} isPending={isPending} />;
      return (
        <Button
          look={look}
          type="submit"
          name={field.name}
          value={field.value}
          disabled={field.disabled}
          formNoValidate={skips}
          aria-busy={isPending || undefined}
          className="whitespace-normal"
        >
          {field.label}
        </Button>
      );
    case "trigger":
      return (
        <>
          <Button
            look={look}
            type="button"
            name={field.name}
            disabled={field.disabled || !field.call}
            data-credential=""
          >
            {field.label}
          </Button>
          <noscript>
            <p className="text-xs text-muted">
              Security keys and passkeys are the one thing here that needs JavaScript.
            </p>
          </noscript>
          <p role="alert" data-credential-error="" className="text-xs text-unhealthy-ink empty:hidden" />
        </>
      );
    case "text":
      return <FlowText {...field} />;
    case "image":
      return (
        <img
          {...field.size}
          src={field.src}
          alt={field.label}
          className="mb-2 max-w-full rounded-md bg-white p-2"
        />
      );
    case "link":
      return (
        <a href={field.href} rel="noopener noreferrer" className={buttonClass({ look })}>
          {field.label}
        </a>
      );
    case "script":
      return null;
    case "checkbox":
    case "input":
      return <FlowControl field={field} scope={scope} />;
  }
}

/** One of the security keys and passkeys there are. Passkeys all bear the same name, so each says since when. */
function FlowKey({
  field,
  removes,
  isPending,
}: {
  field: FlowSubmit;
  removes: NonNullable<FlowSubmit["removes"]>;
  isPending: boolean;
}) {
  return (
    <div className="mb-1 flex items-center gap-3 rounded-md border border-line py-1.5 pr-1.5 pl-3">
      <span className="grid min-w-0 flex-1">
        <span className="font-medium wrap-anywhere">{removes.name}</span>
        <span className="text-xs text-muted">
          {field.group === "passkey" ? "Passkey" : "Security key"}, added <When at={removes.addedAt} />
          {field.disabled ? ": your only way to sign in, so it stays" : null}
        </span>
      </span>
      <Button
        size="small"
        type="submit"
        name={field.name}
        value={field.value}
        disabled={field.disabled}
        formNoValidate
        aria-label={field.label}
        aria-busy={isPending || undefined}
      >
        Remove
      </Button>
    </div>
  );
}

function FlowText({ label, text, codes }: { label: string; text: string; codes: FlowCode[] }) {
  return (
    <div className="mb-2 grid gap-1.5">
      {label ? <p className="font-medium">{label}</p> : null}
      {codes.length > 0 ? (
        <ul className="grid grid-cols-2 gap-x-4 gap-y-1 rounded-md bg-sunken p-3">
          {codes.map((code, index) => (
            <li key={index}>
              {code.isUsed ? (
                <span title={code.text} className="text-muted">
                  Used
                </span>
              ) : (
                <code className="wrap-anywhere">{code.text}</code>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <code className="rounded-md bg-sunken p-2 wrap-anywhere select-all">{text}</code>
      )}
    </div>
  );
}

function FlowControl({ field, scope }: { field: FlowInput; scope: string }) {
  const id = `flow-${scope}-${field.name}`.replaceAll(/[^\w-]/g, "-");
  const errors = field.messages.filter(({ tone }) => tone === "error").map(({ text }) => text);
  const hint = field.messages.find(({ tone }) => tone !== "error")?.text;
  const shared = {
    id,
    name: field.name,
    required: field.required,
    disabled: field.disabled,
    "aria-invalid": errors.length > 0 || undefined,
    "aria-describedby": `${id}-error`,
  };
  return (
    <Field label={field.label} id={id} errors={errors} hint={hint}>
      {field.kind === "checkbox" ? (
        <input
          {...shared}
          type="checkbox"
          value="true"
          defaultChecked={field.value === "true"}
          className="justify-self-start"
        />
      ) : field.options ? (
        <Select
          {...shared}
          defaultValue={field.value}
          options={field.options.map((value) => ({ value, label: value }))}
        />
      ) : (
        <Input
          {...shared}
          type={field.type}
          defaultValue={field.value}
          autoComplete={field.autoComplete}
          inputMode={field.inputMode}
          pattern={field.pattern}
          maxLength={field.maxLength}
        />
      )}
    </Field>
  );
}
