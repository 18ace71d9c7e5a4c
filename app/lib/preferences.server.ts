import { z } from "zod";
import { HEALTH_DEFAULTS, HEALTH_LAYOUTS, REFRESH_RATES } from "#app/contract/words/checks.ts";
import { SIDEBARS, THEMES, type Preferences } from "#app/contract/words/preferences.ts";
import { cookieLine, parseCookies } from "./cookies.ts";
import { env } from "./env.server.ts";

const COOKIE = "preferences";
const YEAR_SECONDS = 31_536_000;
/** A label's key, as long as one may be and a cookie still fits into its 4 kB. */
const MOST_KEY = 300;
const RATES = REFRESH_RATES.map(({ value }) => value);
const key = z.string().min(1).max(MOST_KEY);

/** Every part falls back on its own, so that an old or damaged cookie costs one preference, not all. */
const Schema = z.object({
  theme: z.enum(THEMES).catch("system"),
  sidebar: z.enum(SIDEBARS).catch("open"),
  refresh: z.enum(RATES).catch("None"),
  health: z
    .object({
      hidePassing: z.boolean().catch(HEALTH_DEFAULTS.hidePassing),
      groupBy: key.catch(HEALTH_DEFAULTS.groupBy),
      tabBy: key.catch(HEALTH_DEFAULTS.tabBy),
      layout: z.enum(HEALTH_LAYOUTS).catch(HEALTH_DEFAULTS.layout),
    })
    .catch(HEALTH_DEFAULTS),
});

/** A change of one or more preferences, as posted to `/preferences`. Everything else in the form is ignored. */
export const PreferencesChange = z.object({
  theme: z.enum(THEMES).optional(),
  sidebar: z.enum(SIDEBARS).optional(),
  refresh: z.enum(RATES).optional(),
  hidePassing: z.enum(["true", "false"]).optional(),
  groupBy: key.optional(),
  tabBy: key.optional(),
  layout: z.enum(HEALTH_LAYOUTS).optional(),
});

/** What is remembered after a change. */
export function changed(
  before: Preferences,
  { theme, sidebar, refresh, hidePassing, groupBy, tabBy, layout }: z.output<typeof PreferencesChange>,
): Preferences {
  const { health } = before;
  return {
    theme: theme ?? before.theme,
    sidebar: sidebar ?? before.sidebar,
    refresh: refresh ?? before.refresh,
    health: {
      hidePassing: hidePassing === undefined ? health.hidePassing : hidePassing === "true",
      groupBy: groupBy ?? health.groupBy,
      tabBy: tabBy ?? health.tabBy,
      layout: layout ?? health.layout,
    },
  };
}

/** The preferences of the browser: kept in one cookie, so that the first paint is right (DESIGN C8). */
export function preferencesOf(request: Request): Preferences {
  const value = parseCookies(request.headers.get("cookie")).get(COOKIE);
  try {
    return Schema.parse(value ? (JSON.parse(decodeURIComponent(value)) as unknown) : {});
  } catch {
    return Schema.parse({});
  }
}

/** The Set-Cookie line that keeps the preferences for a year. */
export const preferencesCookie = (preferences: Preferences): string =>
  cookieLine(COOKIE, encodeURIComponent(JSON.stringify(preferences)), {
    secure: env().isSecure,
    maxAge: YEAR_SECONDS,
  });
