import { useLocation } from "@remix-run/react";
import { Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import type { FieldDescription } from "#app/contract/fields.ts";
import { Button } from "#app/ui/button.tsx";
import { Textarea } from "#app/ui/field-parts.tsx";
import { Input } from "#app/ui/field.tsx";
import { Segmented } from "#app/ui/segmented.tsx";
import { rowCount, rowsName, SCRIPT_KINDS, under, type Values } from "./values.ts";

/** The id of an input, from its name: what a label, a hint and a link of the error summary lead to. */
export const idOf = (name: string) => name.replace(/[.@]/g, "-");

/** Describes an input for whoever cannot see what is wrong with it. */
export const wrong = (name: string, isWrong: boolean) => ({
  "aria-invalid": isWrong || undefined,
  "aria-describedby": `${idOf(name)}-error`,
});

type ControlProps = { field: FieldDescription; path: string; values: Values; isWrong: boolean };

const PLACES = [
  { value: "static", label: "Static" },
  { value: "secret", label: "Secret" },
  { value: "configmap", label: "ConfigMap" },
] as const;
/** What must not be read over a shoulder. */
const IS_HIDDEN = /pass|token|secret|key|bearer|credential/i;

/** A value that may be a secret: typed here, or the name and key of where it is kept (specification 3 §3.8). */
export function SecretControl({ field, path, values, isWrong }: ControlProps) {
  const kind = values[`${path}@kind`] ?? "static";
  return (
    <div className="group/secret grid gap-1.5">
      <span className="flex">
        <Segmented
          label={`${field.label}: where it is kept`}
          name={`${path}@kind`}
          value={kind}
          options={PLACES}
        />
      </span>
      <Input
        id={idOf(path)}
        name={path}
        type={IS_HIDDEN.test(field.name) ? "password" : "text"}
        autoComplete={IS_HIDDEN.test(field.name) ? "new-password" : "off"}
        spellCheck={false}
        defaultValue={values[path] ?? ""}
        aria-label={field.label}
        className="hidden group-has-[input[value=static]:checked]/secret:block"
        {...wrong(path, isWrong)}
      />
      <span className="grid grid-cols-2 gap-2 group-has-[input[value=static]:checked]/secret:hidden">
        <Input
          name={`${path}@name`}
          defaultValue={values[`${path}@name`] ?? ""}
          placeholder="Name"
          aria-label={`${field.label}: name of the secret or config map`}
          autoComplete="off"
          spellCheck={false}
        />
        <Input
          name={`${path}@key`}
          defaultValue={values[`${path}@key`] ?? ""}
          placeholder="Key"
          aria-label={`${field.label}: key in it`}
          autoComplete="off"
          spellCheck={false}
        />
      </span>
    </div>
  );
}

/** An expression in one of the languages; the switch says which, None means there is none. */
export function ScriptControl({ field, path, values, isWrong }: ControlProps) {
  const kind = values[`${path}@kind`] ?? "none";
  const offered = new Set(field.fields?.map(({ name }) => (name === "jsonpath" ? "jsonPath" : name)));
  return (
    <div className="group/script grid gap-1.5">
      <span className="flex">
        <Segmented
          label={`${field.label}: language`}
          name={`${path}@kind`}
          value={kind}
          options={[
            { value: "none", label: "None" },
            ...SCRIPT_KINDS.filter(({ value }) => offered.has(value)),
          ]}
        />
      </span>
      <Textarea
        id={idOf(path)}
        name={path}
        rows={4}
        spellCheck={false}
        autoCapitalize="off"
        defaultValue={values[path] ?? ""}
        aria-label={field.label}
        className="font-mono text-xs/5 group-has-[input[value=none]:checked]/script:hidden"
        {...wrong(path, isWrong)}
      />
    </div>
  );
}

/** A map of text to text: rows of a key and its value. */
export function PairRows({ path, values, label }: { path: string; values: Values; label: string }) {
  const count = rowCount(values, path);
  return (
    <div id={idOf(path)} className="grid gap-2">
      <input type="hidden" name={rowsName(path)} value={count} />
      {Array.from({ length: count }, (_, index) => {
        const row = under(path, index);
        return (
          <div key={index} id={idOf(row)} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] gap-2">
            <Input
              name={`${row}@key`}
              defaultValue={values[`${row}@key`] ?? ""}
              placeholder="key"
              aria-label={`${label} ${index + 1}: key`}
              autoComplete="off"
              spellCheck={false}
            />
            <Input
              name={`${row}@value`}
              defaultValue={values[`${row}@value`] ?? ""}
              placeholder="value"
              aria-label={`${label} ${index + 1}: value`}
              autoComplete="off"
              spellCheck={false}
            />
            <RemoveRow path={path} index={index} label={label} />
          </div>
        );
      })}
      <AddRow path={path} label={label} />
    </div>
  );
}

/** A step of the form that saves nothing. It comes back to where it was pressed, with and without script. */
export function StepButton({
  step,
  to,
  label,
  children,
  id,
}: {
  step: string;
  /** The id of what the answer should show. */
  to: string;
  label: string;
  id?: string;
  children: ReactNode;
}) {
  const { pathname, search } = useLocation();
  return (
    <Button
      id={id}
      name="step"
      value={step}
      formAction={`${pathname}${search}#${to}`}
      look="quiet"
      size="small"
      aria-label={label}
      title={label}
    >
      {children}
    </Button>
  );
}

export function AddRow({ path, label }: { path: string; label: string }) {
  return (
    <span className="flex">
      <StepButton step={`add:${path}`} to={idOf(path)} id={idOf(`${path}@add`)} label={`Add to ${label}`}>
        <Plus aria-hidden="true" />
        Add
      </StepButton>
    </span>
  );
}

export function RemoveRow({ path, index, label }: { path: string; index: number; label: string }) {
  return (
    <StepButton step={`remove:${path}.${index}`} to={idOf(path)} label={`Remove ${label} ${index + 1}`}>
      <Trash2 aria-hidden="true" />
    </StepButton>
  );
}
