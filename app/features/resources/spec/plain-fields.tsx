import type { FieldDescription } from "#app/contract/fields.ts";
import { RESPONSE_CODES, SCHEDULES } from "#app/contract/words/resources.ts";
import { Checkbox } from "#app/ui/choice.tsx";
import { FieldGroup, Textarea } from "#app/ui/field-parts.tsx";
import { FieldNote, Input } from "#app/ui/field.tsx";
import { WIDE_FIELD } from "#app/ui/form-sheet.tsx";
import { Select } from "#app/ui/select-field.tsx";
import { optionsOf } from "#app/ui/select.tsx";
import { idOf, wrong } from "./controls.tsx";
import type { Values } from "./values.ts";

interface Placed {
  field: FieldDescription;
  path: string;
  values: Values;
}
type OneField = Placed & { isWrong: boolean };
type WithErrors = Placed & { errors: readonly string[] | undefined };

/** One line: text, a number, a choice, a schedule. */
export function Line({ field, path, values, isWrong }: OneField) {
  const value = values[path] ?? "";
  const shared = {
    id: idOf(path),
    name: path,
    defaultValue: value,
    "aria-required": field.required || undefined,
  };
  if (field.widget === "select") {
    const options = field.options ?? [];
    const own = value === "" || options.includes(value) ? [] : [value];
    return (
      <Select
        {...shared}
        options={[
          ...(field.required && value !== "" ? [] : [{ value: "", label: "–" }]),
          ...optionsOf([...options, ...own]),
        ]}
        {...wrong(path, isWrong)}
      />
    );
  }
  const list = field.widget === "schedule" ? `${idOf(path)}-presets` : undefined;
  return (
    <>
      <Input
        {...shared}
        list={list}
        inputMode={field.widget === "number" ? "decimal" : undefined}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={field.name === "description"}
        {...wrong(path, isWrong)}
      />
      {list ? (
        <datalist id={list}>
          {SCHEDULES.map((preset) => (
            <option key={preset} value={preset} />
          ))}
        </datalist>
      ) : null}
    </>
  );
}

export function Many({ field, path, values, isWrong }: OneField) {
  const shared = { id: idOf(path), name: path, defaultValue: values[path] ?? "", spellCheck: false };
  return field.item === "number" ? (
    <Input {...shared} autoComplete="off" {...wrong(path, isWrong)} />
  ) : (
    <Textarea {...shared} rows={3} className="font-mono text-xs/5" {...wrong(path, isWrong)} />
  );
}

/** A tick box; what is not ticked is not sent, so a hidden input says that it was there. */
export function FlagField({ field, path, values, errors }: WithErrors) {
  return (
    <div className="grid content-start gap-1 self-end">
      <input type="hidden" name={`${path}@shown`} value="1" />
      <Checkbox
        id={idOf(path)}
        name={path}
        value="true"
        defaultChecked={values[path] === "true"}
        label={field.label}
        {...wrong(path, Boolean(errors?.length))}
      />
      <FieldNote id={idOf(path)} errors={errors} hint={field.hint} />
    </div>
  );
}

/** The usual codes to tick, any other to type (specification 3 §9). */
export function ResponseCodes({ field, path, values, errors }: WithErrors) {
  const chosen = (values[path] ?? "").split(/[,\s]+/).filter(Boolean);
  const usual = new Set<string>(RESPONSE_CODES.map(String));
  return (
    <FieldGroup label={field.label} id={idOf(path)} errors={errors} hint={field.hint} className={WIDE_FIELD}>
      <span className="flex flex-wrap items-center gap-x-4">
        {[...usual].map((code) => (
          <Checkbox key={code} name={path} value={code} label={code} defaultChecked={chosen.includes(code)} />
        ))}
        <Input
          name={path}
          className="max-w-40"
          defaultValue={chosen.filter((code) => !usual.has(code)).join(", ")}
          placeholder="others"
          aria-label={`${field.label}: others`}
          autoComplete="off"
        />
      </span>
    </FieldGroup>
  );
}
