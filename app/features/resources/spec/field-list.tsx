import type { ReactNode } from "react";
import type { FieldDescription } from "#app/contract/fields.ts";
import { FieldGroup, Textarea } from "#app/ui/field-parts.tsx";
import { Field, FieldNote } from "#app/ui/field.tsx";
import { WIDE_FIELD } from "#app/ui/form-sheet.tsx";
import { AddRow, idOf, PairRows, RemoveRow, ScriptControl, SecretControl, wrong } from "./controls.tsx";
import { FlagField, Line, Many, ResponseCodes } from "./plain-fields.tsx";
import { isScript, rowCount, rowsName, under, type Values } from "./values.ts";

type ListProps = {
  fields: readonly FieldDescription[];
  values: Values;
  problems: ReadonlyMap<string, string[]>;
  /** Of the inputs. */
  path: string;
};
type FieldProps = Omit<ListProps, "fields"> & { field: FieldDescription };

/** The controls of a table of fields, as data: whatever is added to a table is drawn (DESIGN D10). */
export function FieldList({ fields, path, ...rest }: ListProps) {
  return (
    <>
      {fields.map((field) => (
        <OneField key={field.name} field={field} path={under(path, field.name)} {...rest} />
      ))}
    </>
  );
}

function OneField(props: FieldProps) {
  const { field, path, values, problems } = props;
  const errors = problems.get(path);
  const isWrong = Boolean(errors?.length);
  const control = { field, path, values, isWrong };
  const frame = { label: field.label, id: idOf(path), errors, hint: field.hint };
  const need = field.required ? ("required" as const) : undefined;
  if (isScript(field))
    return (
      <Bundle {...props} errors={errors}>
        <ScriptControl {...control} />
      </Bundle>
    );
  switch (field.widget) {
    case "group":
      return <Group {...props} errors={errors} />;
    case "list":
      return (
        <Bundle {...props} errors={errors}>
          <Rows {...props} />
        </Bundle>
      );
    case "keyValue":
      return (
        <Bundle {...props} errors={errors}>
          <PairRows path={path} values={values} label={field.label} />
        </Bundle>
      );
    case "secret":
      return (
        <Field {...frame} need={need}>
          <SecretControl {...control} />
        </Field>
      );
    case "flag":
      return <FlagField {...props} errors={errors} />;
    case "values":
      return field.name === "responseCodes" ? (
        <ResponseCodes {...props} errors={errors} />
      ) : (
        <Field
          {...frame}
          hint={field.hint ?? (field.item === "number" ? "Apart by commas" : "One to a line")}
          need={need}
        >
          <Many {...control} />
        </Field>
      );
    case "textarea":
      return (
        <Field
          {...frame}
          need={need}
          className={`${WIDE_FIELD} ${field.name === "body" && !values[path] ? BODY : ""}`}
        >
          <Textarea
            id={idOf(path)}
            name={path}
            rows={4}
            spellCheck={false}
            defaultValue={values[path] ?? ""}
            aria-required={field.required || undefined}
            className="font-mono text-xs/5"
            {...wrong(path, isWrong)}
          />
        </Field>
      );
    default:
      return (
        <Field {...frame} need={need} {...(isLong(field) ? { className: WIDE_FIELD } : {})}>
          <Line {...control} />
        </Field>
      );
  }
}

/** Only methods that send a body have one (specification 3 §9); a body that is there already stays in sight. */
const BODY =
  "hidden group-has-[select[name='f.method']_option:is([value='POST'],[value='PUT'],[value='PATCH']):checked]/spec:grid";
const isLong = ({ name }: FieldDescription) =>
  ["url", "description", "query", "path", "endpoint"].includes(name);

type WithErrors = FieldProps & { errors: readonly string[] | undefined };

/** Several controls under one label, over the whole line. */
function Bundle({ field, path, errors, children }: WithErrors & { children: ReactNode }) {
  return (
    <FieldGroup
      label={field.label}
      id={idOf(`${path}@all`)}
      errors={errors}
      hint={field.hint}
      need={field.required ? "required" : undefined}
      className={WIDE_FIELD}
    >
      {children}
    </FieldGroup>
  );
}

/** Rows of the same fields, each in its frame; rows come and go by buttons of the form. */
function Rows({ field, path, values, problems }: FieldProps) {
  const count = rowCount(values, path);
  return (
    <div id={idOf(path)} className="grid gap-2">
      <input type="hidden" name={rowsName(path)} value={count} />
      {Array.from({ length: count }, (_, index) => {
        const row = under(path, index);
        return (
          <div
            key={index}
            id={idOf(row)}
            role="group"
            aria-label={`${field.label} ${index + 1}`}
            className="flex items-start gap-2 rounded-md border border-line p-3"
          >
            <input type="hidden" name={`${row}@from`} value={values[`${row}@from`] ?? ""} />
            <div className="grid min-w-0 flex-1 grid-cols-[repeat(auto-fit,minmax(min(100%,13rem),1fr))] gap-x-3">
              <FieldList fields={field.fields ?? []} path={row} values={values} problems={problems} />
            </div>
            <RemoveRow path={path} index={index} label={field.label} />
          </div>
        );
      })}
      <AddRow path={path} label={field.label} />
    </div>
  );
}

/** A group folds; it is open where something is in it, or wrong with it. */
function Group({ field, path, values, problems, errors }: WithErrors) {
  const isUsed = Object.entries(values).some(
    ([name, text]) =>
      name.startsWith(`${path}.`) && text !== "" && text !== "0" && !/@(kind|shown)$/.test(name),
  );
  const isWrong = [...problems.keys()].some((name) => name === path || name.startsWith(`${path}.`));
  return (
    <details
      open={isUsed || isWrong || field.required}
      className={`${WIDE_FIELD} rounded-md border border-line`}
    >
      <summary id={idOf(path)} className="px-3 py-2 font-medium hover:bg-hover">
        {field.label}
        {field.hint ? <span className="ml-2 text-xs font-normal text-faint">{field.hint}</span> : null}
      </summary>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,15rem),1fr))] gap-x-4 gap-y-2 px-3 pb-2">
        {errors ? <FieldNote id={idOf(path)} errors={errors} hint={undefined} /> : null}
        <FieldList fields={field.fields ?? []} path={path} values={values} problems={problems} />
      </div>
    </details>
  );
}
