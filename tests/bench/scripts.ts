/** How much JavaScript pages load with an empty cache, compressed, until the network is idle. */
import { chromium } from "playwright";
import { BROWSER_ARGS, findBrowser } from "#tests/support/browser.ts";
import { ADMIN, signIn, startProduct } from "#tests/support/product.ts";
import { SCRIPT_LIMIT_BYTES, scriptsOf, sumOf } from "#tests/support/scripts.ts";
import { describeMachine, table } from "./machine.ts";

const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1);

/** The section of docs/benchmarks.md: sign-in, the list, and the drawer of a check with its chart open. */
export async function benchScripts(): Promise<string> {
  const path = await findBrowser();
  const product = await startProduct();
  const browser = await chromium.launch({ args: BROWSER_ARGS, ...(path ? { executablePath: path } : {}) });
  try {
    const cookie = await signIn(product.url, ADMIN);
    const check = await checkWithResult(product.url, cookie);
    const pages = [
      { name: "sign-in", path: "/login", cookie: "", limit: "" },
      { name: "/health", path: "/health", cookie, limit: "" },
      {
        name: "check drawer with its chart",
        path: `/health?checkId=${check}`,
        cookie,
        limit: kilobytes(SCRIPT_LIMIT_BYTES),
      },
    ];
    const rows: (string | number)[][] = [];
    for (const page of pages) {
      const files = await scriptsOf(browser, product.url + page.path, page.cookie);
      const largest = files.slice(0, 2).map(({ name, bytes }) => `${name} ${kilobytes(bytes)}`);
      rows.push([page.name, files.length, kilobytes(sumOf(files)), page.limit, largest.join(", ")]);
    }
    return [
      table([["page", "files", "scripts, kB gz", "limit", "the largest"], ...rows]),
      "",
      `Bodies as the browser received them. ${describeMachine([`Chromium ${browser.version()}`])}.`,
    ].join("\n");
  } finally {
    await browser.close();
    await product.stop();
  }
}

/** The product watches itself, so a check with a result is there soon after the start. */
async function checkWithResult(url: string, cookie: string): Promise<string> {
  for (const end = Date.now() + 30_000; ; await new Promise((done) => setTimeout(done, 200))) {
    const answer = await fetch(`${url}/api/db/check_statuses?select=check_id&limit=1`, {
      headers: { cookie },
    });
    const [row] = (await answer.json()) as { check_id: string }[];
    if (row) return row.check_id;
    if (Date.now() > end) throw new Error("no check of the product had a result within 30 s");
  }
}
