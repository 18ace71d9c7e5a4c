import type { Browser } from "playwright";

export interface ScriptFile {
  name: string;
  /** What came over the wire without its headers, compressed by gzip as any proxy may ask for it. */
  bytes: number;
}
/** The budget of /health with the chart: every script until the network is idle, with an empty cache. */
export const SCRIPT_LIMIT_BYTES = 130_000;

/** Every script a page loads in a browser that has loaded nothing before, until the network is idle. */
export async function scriptsOf(browser: Browser, url: string, cookie: string): Promise<ScriptFile[]> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    extraHTTPHeaders: { "accept-encoding": "gzip" },
  });
  try {
    await context.addCookies(
      (cookie ? cookie.split("; ") : []).map((pair) => {
        const at = pair.indexOf("=");
        return { name: pair.slice(0, at), value: pair.slice(at + 1), url: new URL(url).origin };
      }),
    );
    const page = await context.newPage();
    await page.goto(url, { waitUntil: "networkidle" });
    const files = await page.evaluate(() =>
      (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
        .filter(({ name }) => new URL(name).pathname.endsWith(".js"))
        .map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize })),
    );
    return files
      .map(({ name, bytes }) => ({ name: name.replace(/^.*\/|-[\w-]{8}\.js$/g, ""), bytes }))
      .sort((a, b) => b.bytes - a.bytes);
  } finally {
    await context.close();
  }
}

export const sumOf = (files: readonly ScriptFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);
