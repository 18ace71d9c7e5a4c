import { z } from "zod";
import { SIDEBARS, THEMES, type Preferences } from "#app/contract/words/preferences.ts";
import { cookieLine, parseCookies } from "./cookies.ts";
import { env } from "./env.server.ts";

const COOKIE = "preferences";
const YEAR_SECONDS = 31_536_000;

/** Every part falls back on its own, so that an old or damaged cookie costs one preference, not all. */
const Schema = z.object({
  theme: z.enum(THEMES).catch("system"),
  sidebar: z.enum(SIDEBARS).catch("open"),
});

/** A change of one or more preferences, as posted to `/preferences`. Everything else in the form is ignored. */
export const PreferencesChange = z.object({
  theme: z.enum(THEMES).optional(),
  sidebar: z.enum(SIDEBARS).optional(),
});

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
