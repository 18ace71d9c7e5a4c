import { defineConfig } from "@playwright/test";
import { BROWSER_ARGS, findBrowser } from "#tests/support/browser.ts";

const browser = await findBrowser();
// Remix takes "HeadlessChrome" for a bot; the journeys are people.
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36";
/** A page of a journey does not live long enough to gain from the compilers that run beside its scripts. */
const SHORT_LIVED = "--js-flags=--no-opt,--no-maglev";

/**
 * The same journeys, with and without scripts, and on a phone. A journey that needs a script says so with @js, one for
 * fingers with @touch, one that says nothing new on a phone with @desk: every page is on the phone in one journey at least,
 * and `axe.spec.ts` looks at every state of it at that width.
 */
export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results",
  globalSetup: "./global-setup.ts",
  workers: 2,
  fullyParallel: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env["CI"]),
  retries: process.env["CI"] ? 1 : 0, // a shared machine may stall; a journey that passed only then is named as flaky
  use: {
    // A worker's context, emptied between journeys: the scripts of a page are read and compiled once, not for each.
    reuseContext: true,
    userAgent,
    contextOptions: { reducedMotion: "reduce" }, // nobody waits for what slides in
    launchOptions: { args: [...BROWSER_ARGS, SHORT_LIVED], ...(browser ? { executablePath: browser } : {}) },
    screenshot: "only-on-failure",
  },
  projects: [
    { name: "js", grepInvert: /@no-js|@touch/, use: { viewport: { width: 1440, height: 900 } } },
    {
      name: "no-js",
      grepInvert: /@js|@touch/,
      use: { javaScriptEnabled: false, viewport: { width: 1440, height: 900 } },
    },
    {
      name: "phone",
      grepInvert: /@desk|@no-js/,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true },
    },
  ],
});
