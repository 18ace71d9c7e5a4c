import { ROLES } from "#app/contract/access.ts";
import type { plainForm } from "#app/lib/plain-form.ts";
import { Field, Input } from "#app/ui/field.tsx";
import { WIDE_FIELD } from "#app/ui/form-sheet.tsx";
import { Select } from "#app/ui/select-field.tsx";

type UserFieldsProps = {
  form: ReturnType<typeof plainForm>;
  values: { firstName: string; lastName: string; email: string; role: string };
  /** Why the role is not to be changed here; absent: it is. */
  fixedRole?: string;
  /** Why names and address are not. */
  fixedNames?: string;
};

/** Who somebody is, (facts/ui-screens §7.8): the two names side by side where there is room. */
export function UserFields({
  form: { errors, typed, field },
  values,
  fixedRole,
  fixedNames,
}: UserFieldsProps) {
  const text = (id: string, name: "firstName" | "lastName" | "email") => ({
    ...field(id, name),
    required: !fixedNames,
    disabled: fixedNames !== undefined,
    autoComplete: "off",
    defaultValue: typed(name, values[name]),
  });
  const need = fixedNames ? undefined : "required";
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,11rem),1fr))] gap-x-4 gap-y-2">
      <Field id="user-first" label="First name" need={need} errors={errors("firstName")}>
        <Input {...text("user-first", "firstName")} />
      </Field>
      <Field id="user-last" label="Last name" need={need} errors={errors("lastName")}>
        <Input {...text("user-last", "lastName")} />
      </Field>
      <Field
        id="user-email"
        label="Email"
        need={need}
        errors={errors("email")}
        hint={fixedNames}
        className={WIDE_FIELD}
      >
        <Input {...text("user-email", "email")} type="email" />
      </Field>
      <Field
        id="user-role"
        label="Role"
        need={fixedRole ? undefined : "required"}
        errors={errors("role")}
        hint={fixedRole}
        className={WIDE_FIELD}
      >
        <Select
          {...field("user-role", "role")}
          required={!fixedRole}
          disabled={fixedRole !== undefined}
          defaultValue={typed("role", values.role)}
          options={[
            { value: "", label: "select role" },
            ...ROLES.map((role) => ({ value: role, label: role })),
          ]}
        />
      </Field>
    </div>
  );
}
