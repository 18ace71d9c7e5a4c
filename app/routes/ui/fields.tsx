import { Trash2 } from "lucide-react";
import { Button } from "#app/ui/button.tsx";
import { Checkbox, Radio, Switch } from "#app/ui/choice.tsx";
import { DurationInput, FieldGroup, NumberInput, Textarea } from "#app/ui/field-parts.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { ErrorSummary, FormFoot, FormSection, FormSheet, WIDE_FIELD } from "#app/ui/form-sheet.tsx";
import { Select } from "#app/ui/select-field.tsx";
import { optionsOf } from "#app/ui/select.tsx";
import { Examples } from "./example.tsx";

const WRONG = { "aria-invalid": true } as const;
const REQUIRED = ["This field is required"];

export function Fields() {
  return (
    <Examples
      id="fields"
      lead="The line under a control is always there, so an error never moves the button under the pointer."
    >
      <form method="get" action="/ui" className="grid gap-4">
        <ErrorSummary
          errors={[
            { id: "example-url", label: "URL", message: "This field is required" },
            { id: "example-limit", label: "Max response time", message: "This field must be a number" },
          ]}
        />
        <FormSheet>
          <FormSection title="Identity" lead="Name and namespace are fixed once a check exists.">
            <Field label="Name" id="example-name" need="required">
              <Input id="example-name" defaultValue="checkout-edge" readOnly />
            </Field>
            <Field label="Namespace" id="example-namespace">
              <Input id="example-namespace" defaultValue="checkout" disabled />
            </Field>
            <Field label="Icon" id="example-icon" need="optional">
              <Select id="example-icon" options={optionsOf(["globe", "plug", "database"])} />
            </Field>
            <Field label="Interval" id="example-interval" hint="30s, 5m or 1h30m" need="required">
              <DurationInput
                id="example-interval"
                defaultValue="1m"
                suggestions={["30s", "1m", "5m", "1h"]}
                required
                aria-describedby="example-interval-error"
              />
            </Field>
          </FormSection>
          <FormSection title="Request" lead="What is sent, and as whom.">
            <Field label="Description" id="example-text" need="optional" className={WIDE_FIELD}>
              <Textarea id="example-text" defaultValue="Place an order through the public edge" />
            </Field>
            <Field label="URL" id="example-url" need="required" errors={REQUIRED} className={WIDE_FIELD}>
              <Input
                id="example-url"
                placeholder="https://"
                aria-describedby="example-url-error"
                {...WRONG}
              />
            </Field>
            <Field label="Max response time (ms)" id="example-limit" errors={["This field must be a number"]}>
              <NumberInput
                id="example-limit"
                unit="ms"
                min={0}
                aria-describedby="example-limit-error"
                {...WRONG}
              />
            </Field>
            <FieldGroup label="Method" id="example-method" hint="What the endpoint expects">
              {["GET", "POST", "PATCH"].map((method) => (
                <Radio
                  key={method}
                  name="method"
                  value={method}
                  label={method}
                  defaultChecked={method === "POST"}
                  disabled={method === "PATCH"}
                />
              ))}
            </FieldGroup>
            <FieldGroup label="Codes" id="example-codes" errors={["Choose at least one"]}>
              <Checkbox name="codes" value="2xx" label="2xx" hint="Everything that went well" />
              <Checkbox name="codes" value="3xx" label="3xx" />
            </FieldGroup>
            <FieldGroup label="Behaviour" id="example-behaviour">
              <Switch name="follow" label="Follow redirects" defaultChecked />
              <Switch name="insecure" label="Accept any certificate" hint="For tests only" />
              <Switch name="locked" label="Locked" disabled />
            </FieldGroup>
          </FormSection>
        </FormSheet>
        <FormFoot
          danger={
            <Button type="button" look="quiet" className="text-unhealthy-ink">
              <Trash2 aria-hidden="true" />
              Delete
            </Button>
          }
        >
          <Button type="reset">Reset</Button>
          <Button type="button" look="primary">
            Update
          </Button>
        </FormFoot>
      </form>
    </Examples>
  );
}
