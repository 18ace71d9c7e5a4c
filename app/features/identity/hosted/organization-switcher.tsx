import { Form } from "@remix-run/react";
import { Building2, Check, ChevronDown } from "lucide-react";
import { ORGS_SWITCHED_PATH } from "../paths.ts";
import { Menu, MENU_ITEM, MenuHead } from "#app/ui/menu.tsx";

/** The organisations of whoever is signed in, and which one is shown. */
export interface Organizations {
  chosen: string | null;
  all: { id: string; name: string }[];
}

/**
 * Specification 1 §2, hosted mode: every organisation is a button of one form, which loads everything afresh. Nothing is
 * drawn for whoever has none.
 */
export function OrganizationSwitcher({ organizations }: { organizations: Organizations | null }) {
  if (!organizations || organizations.all.length === 0) return null;
  const { chosen, all } = organizations;
  const name = all.find(({ id }) => id === chosen)?.name ?? "Choose";
  return (
    <Menu
      label={`Organization: ${name}`}
      icon={false}
      trigger={
        <>
          <Building2 aria-hidden="true" />
          <span className="max-w-40 truncate max-sm:sr-only">{name}</span>
          <ChevronDown aria-hidden="true" className="max-sm:hidden" />
        </>
      }
    >
      <MenuHead>Organization</MenuHead>
      <Form
        method="post"
        action={ORGS_SWITCHED_PATH}
        reloadDocument
        className="max-h-[60dvh] overflow-y-auto max-sm:max-h-none"
      >
        {all.map((one) => (
          <button
            key={one.id}
            name="organization"
            value={one.id}
            title={one.name}
            aria-pressed={one.id === chosen}
            className={MENU_ITEM}
          >
            <span className="truncate">{one.name}</span>
            {one.id === chosen ? <Check aria-hidden="true" className="ml-auto text-accent-ink" /> : null}
          </button>
        ))}
      </Form>
    </Menu>
  );
}
