import type { HealthView, RefreshRate } from "./checks.ts";

/** What a browser remembers about how its user likes the product (facts/ui-gaps §6: light, dark, system). */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** Specification 1 §2: the sidebar can be collapsed, and the state is remembered. */
export const SIDEBARS = ["open", "collapsed"] as const;
type Sidebar = (typeof SIDEBARS)[number];

export interface Preferences {
  theme: Theme;
  sidebar: Sidebar;
  /** How often /health looks again (specification 1 §4). */
  refresh: RefreshRate;
  /** How the list of /health is shown when its address does not say. */
  health: HealthView;
}
