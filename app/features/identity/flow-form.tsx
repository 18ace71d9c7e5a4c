import { Form, useNavigation } from "@remix-run/react";
import { Button, LINK } from "#app/ui/button.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { FlowField, FlowMessage, FlowView } from "./flow-view.ts";

const TONES = { info: "info", error: "unhealthy", success: "healthy" } as const;

/**
 * A flow of the identity service as a plain form (facts/ui-screens §2.3): messages, then its nodes in order. It posts
 * to the page itself, so it works without JavaScript and the page relays what comes back.
 */
export function FlowForm({ flow, action }: { flow: FlowView; action: string }) {
  const isPending = useNavigation().state !== "idle";
  return (
    <Form method="post" action={action} className="grid gap-2">
      <FlowMessages messages={flow.messages} />
      {flow.fields.map((field, index) => (
        <FlowPart key={`${flow.id} ${index}`} field={field} isPending={isPending} />
      ))}
    </Form>
  );
}

function FlowMessages({ messages }: { messages: FlowMessage[] }) {
  return messages.map(({ text, tone }) => (
    <Notice key={text} tone={TONES[tone]}>
      {text}
    </Notice>
  ));
}

function FlowPart({ field, isPending }: { field: FlowField; isPending: boolean }) {
  switch (field.kind) {
    case "hidden":
      return <input type="hidden" name={field.name} value={field.value} />;
    case "submit":
      return (
        <Button
          look="primary"
          type="submit"
          name={field.name}
          value={field.value}
          aria-busy={isPending || undefined}
        >
          {field.label}
        </Button>
      );
    case "text":
      return (
        <p>
          {field.label} <code>{field.text}</code>
        </p>
      );
    case "image":
      return <img src={field.src} alt={field.label} />;
    case "link":
      return (
        <a href={field.href} className={LINK}>
          {field.label}
        </a>
      );
    case "checkbox":
    case "input":
      return <FlowInput field={field} />;
  }
}

function FlowInput({ field }: { field: Extract<FlowField, { kind: "input" | "checkbox" }> }) {
  const id = `flow-${field.name.replaceAll(".", "-")}`;
  const errors = field.messages.filter(({ tone }) => tone === "error").map(({ text }) => text);
  const hint = field.messages.find(({ tone }) => tone !== "error")?.text;
  const shared = {
    id,
    name: field.name,
    type: field.type,
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
          value="true"
          defaultChecked={field.value === "true"}
          className="justify-self-start"
        />
      ) : (
        <Input
          {...shared}
          defaultValue={field.value}
          autoComplete={field.autoComplete}
          pattern={field.pattern}
          maxLength={field.maxLength}
        />
      )}
    </Field>
  );
}
