import { Link } from "@remix-run/react";
import { LogOut } from "lucide-react";
import type { ReactNode } from "react";
import { BrandMark } from "#app/ui/frame/brand.tsx";
import { Avatar } from "#app/ui/marks/avatar.tsx";
import { Menu, MENU_ITEM, MenuHead, MenuRule } from "#app/ui/menu.tsx";
import { PostForm } from "#app/ui/post-form.tsx";
import { OrganizationSwitcher, type Organizations } from "./organization-switcher.tsx";

/** Who is signed in with the hosted provider, as far as the browser's own session tells. */
export interface HostedPerson {
  name: string;
  organizations: Organizations;
}

/** The frame of pages that stand without a backend: another organisation can be chosen, and the way out is there. */
export function HostedFrame({ person, children }: { person: HostedPerson; children: ReactNode }) {
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr]">
      <header className="flex h-(--topbar-height) items-center justify-between gap-2 border-b border-line px-5 max-lg:px-3">
        <Link
          to="/"
          reloadDocument
          className="flex items-center gap-2.5 text-base font-semibold tracking-tight"
        >
          <BrandMark />
          Pilothouse
        </Link>
        <div className="flex items-center gap-2">
          <OrganizationSwitcher organizations={person.organizations} />
          <PersonMenu name={person.name} />
        </div>
      </header>
      <main className="grid content-center pb-(--topbar-height) [&_h1]:text-xl [&_h1]:tracking-tight">
        {children}
      </main>
    </div>
  );
}

function PersonMenu({ name }: { name: string }) {
  return (
    <Menu label="User menu" trigger={<Avatar name={name} />}>
      <MenuHead>Hi {name}</MenuHead>
      <MenuRule />
      <PostForm intent="sign-out" action="/logout">
        <button className={MENU_ITEM}>
          <LogOut aria-hidden="true" />
          Sign out
        </button>
      </PostForm>
    </Menu>
  );
}
