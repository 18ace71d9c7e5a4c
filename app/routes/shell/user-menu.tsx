import { Link, useLocation } from "@remix-run/react";
import {
  BookOpen,
  Check,
  CircleQuestionMark,
  CircleUserRound,
  Download,
  KeyRound,
  LogOut,
  Monitor,
  Moon,
  Sun,
} from "lucide-react";
import { PROFILE_TITLE } from "#app/contract/words/auth.ts";
import { THEMES, type Theme } from "#app/contract/words/preferences.ts";
import { helpPath } from "#app/features/help/paths.ts";
import { profilePath } from "#app/features/identity/paths.ts";
import { tokensPath } from "#app/features/tokens/paths.ts";
import { Avatar } from "#app/ui/marks/avatar.tsx";
import { Menu, MENU_ITEM, MenuHead, MenuRule } from "#app/ui/menu.tsx";
import { cx } from "#app/ui/parts/cx.ts";
import { PostForm } from "#app/ui/post-form.tsx";
import { useKubeconfigPlace } from "./kubeconfig-dialog.tsx";

const LOOKS: Record<Theme, { label: string; icon: typeof Sun }> = {
  system: { label: "As the system", icon: Monitor },
  light: { label: "Light", icon: Sun },
  dark: { label: "Dark", icon: Moon },
};

/** On a phone it may be in the user menu instead: the bar has not room for everything. */
export function HelpMenu({ isInUserMenu }: { isInUserMenu: boolean }) {
  return (
    <Menu
      label="Help"
      trigger={<CircleQuestionMark aria-hidden="true" />}
      className={isInUserMenu ? "max-sm:hidden" : undefined}
    >
      <DocsLink />
    </Menu>
  );
}

function DocsLink({ className }: { className?: string }) {
  return (
    <Link to={helpPath()} className={cx(MENU_ITEM, className)}>
      <BookOpen aria-hidden="true" />
      Docs
    </Link>
  );
}

export interface UserMenuProps {
  name: string;
  avatar: string | null;
  theme: Theme;
  versions: { frontend: string; backend: string };
  /** Upstream lets people make access tokens. */
  hasTokens: boolean;
  /** The account is kept here, or by an identity service whose pages are ours. */
  hasProfile: boolean;
  /** On a phone the help is in here, where another menu has its place in the bar. */
  hasHelp: boolean;
}

/** Who is signed in, their profile, the kubeconfig, how the product looks, which versions run, and the way out (specification 1 §2). */
export function UserMenu({
  name,
  avatar,
  theme,
  versions: { frontend, backend },
  hasTokens,
  hasProfile,
  hasHelp,
}: UserMenuProps) {
  const kubeconfig = useKubeconfigPlace();
  const { pathname, search } = useLocation();
  const here = pathname === profilePath() ? "" : pathname + search;
  return (
    <Menu label="User menu" trigger={<Avatar name={name} image={avatar} />}>
      <MenuHead>Hi {name}</MenuHead>
      <MenuRule />
      {hasProfile ? (
        <Link to={profilePath({ return_to: here })} className={MENU_ITEM}>
          <CircleUserRound aria-hidden="true" />
          {PROFILE_TITLE}
        </Link>
      ) : null}
      <Link to={kubeconfig.open} preventScrollReset className={MENU_ITEM}>
        <Download aria-hidden="true" />
        Download kubeconfig
      </Link>
      {hasTokens ? (
        <Link to={tokensPath()} className={MENU_ITEM}>
          <KeyRound aria-hidden="true" />
          Access tokens
        </Link>
      ) : null}
      {hasHelp ? <DocsLink className="sm:hidden" /> : null}
      <MenuRule />
      <ThemeForm theme={theme} />
      <MenuRule />
      <MenuHead>
        Frontend {frontend} · Backend {backend}
      </MenuHead>
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

function ThemeForm({ theme }: { theme: Theme }) {
  return (
    <PreferencesForm>
      <MenuHead>Theme</MenuHead>
      {THEMES.map((name) => {
        const { label, icon: Icon } = LOOKS[name];
        return (
          <button key={name} name="theme" value={name} aria-pressed={name === theme} className={MENU_ITEM}>
            <Icon aria-hidden="true" />
            {label}
            {name === theme ? <Check aria-hidden="true" className="ml-auto text-accent-ink" /> : null}
          </button>
        );
      })}
    </PreferencesForm>
  );
}

/** Posts a preference and comes back to the same page. */
export function PreferencesForm({ children }: { children: React.ReactNode }) {
  const { pathname, search } = useLocation();
  return (
    <PostForm intent="prefer" action="/preferences">
      <input type="hidden" name="return_to" value={pathname + search} />
      {children}
    </PostForm>
  );
}
