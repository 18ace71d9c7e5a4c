// The one build configuration: in the Vite era this file IS the Vite config (docs/decisions/0001).
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { vitePlugin as remix } from "@remix-run/dev";
import tailwind from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { ICON_FRAME } from "./app/ui/parts/lean-icon.ts";

/** What every visit of a list loads: the frame and the first page with a table. */
const COMMON = ["app/root.tsx", "app/routes/shell.tsx", "app/routes/health/list.tsx"];

/**
 * Dozens of small files compress badly: apart they weigh a quarter more than together (docs/decisions/0050). So what
 * the common pages reach of our own code is one file; React and Remix are another, and the rest is split by route.
 */
function commonChunk() {
  const reached = new Set();
  return (id, { getModuleIds, getModuleInfo }) => {
    if (reached.size === 0) {
      const reach = (module) => {
        if (reached.has(module)) return;
        reached.add(module);
        getModuleInfo(module)?.importedIds.forEach(reach);
      };
      for (const module of getModuleIds()) if (COMMON.some((path) => module.includes(path))) reach(module);
    }
    const isOurs = /[\\/](app|lucide-react)[\\/]/.test(id);
    return isOurs && reached.has(id) && !getModuleInfo(id)?.isEntry ? "app" : undefined;
  };
}

/** What our pages never use of Remix: `<Link prefetch>`, data streamed in scripts of its own, a root that waits. */
const UNUSED =
  /(function (?:PrefetchPageLinks|DeferredHydrationScript|RemixRootDefaultHydrateFallback)\([^)]*\) \{)/g;

/**
 * The router explains its invariants in sentences for its own developers; in a browser nobody reads them. And it asks
 * at run time for flags that we have all set (below): what they switch off need not be there.
 */
const leanRouter = {
  name: "lean-router",
  apply: (_, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
  transform(code, id) {
    if (!/[\\/]@remix-run[\\/](router|react)[\\/]/.test(id)) return null;
    const said = [];
    const walk = (node) => {
      if (node?.type === "CallExpression" && ["invariant", "warning"].includes(node.callee.name))
        said.push(...node.arguments.slice(1));
      for (const part of Object.values(node ?? {}))
        if (Array.isArray(part)) part.forEach(walk);
        else if (typeof part?.type === "string") walk(part);
    };
    walk(this.parse(code));
    const quiet = said.reduceRight(
      (text, { start, end }) => `${text.slice(0, start)}""${text.slice(end)}`,
      code,
    );
    const lean = quiet
      .replace(UNUSED, "$1 return null;")
      .replace(/\b(?:[\w$]+\.)*future\.v[37]_\w+/g, "true");
    return { code: lean, map: null };
  },
};

/** The notices of what is bundled, kept beside the scripts instead of in each of them. */
const notices = {
  name: "notices",
  apply: leanRouter.apply,
  generateBundle(_, bundle) {
    const found = new Set();
    for (const { modules = {} } of Object.values(bundle))
      for (const { code } of Object.values(modules))
        for (const [comment] of (code ?? "").matchAll(/\/\*[^]*?\*\//g))
          if (/licen[cs]e/i.test(comment)) found.add(comment);
    this.emitFile({
      type: "asset",
      fileName: "assets/notices.txt",
      source: `${[...found].join("\n")}\n`,
    });
  },
};

/** What the pages' modules import of lucide, by which the name of the sprite changes. */
const iconsUsed = () =>
  readdirSync(fileURLToPath(new URL("app", import.meta.url)), { recursive: true, withFileTypes: true })
    .filter(({ name }) => /\.tsx?$/.test(name))
    .flatMap(
      ({ parentPath, name }) =>
        readFileSync(join(parentPath, name), "utf8").match(/import \{[^}]*\} from "lucide-react"/g) ?? [],
    )
    .sort();

/**
 * The shapes of our icons are one file that browsers keep, drawn by `<use>` (docs/decisions/0050): in the scripts there is
 * only each one's name. Both builds, so that the server draws what the browser will.
 */
function iconSprite(isBrowser) {
  const shapes = new Map();
  const lucide = createRequire(import.meta.url)("lucide-react/package.json").version;
  const hash = createHash("sha256")
    .update([lucide, ...iconsUsed()].join())
    .digest("hex")
    .slice(0, 8);
  const fileName = `assets/icons-${hash}.svg`;
  return {
    name: "icon-sprite",
    enforce: "pre",
    apply: "build",
    transform(code, id) {
      if (!/[\\/]lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/]/.test(id)) return null;
      const [, data] = /const __iconData = (\{.*?\n\});?\n/s.exec(code) ?? [];
      if (!data) return null;
      const { name, node } = new Function(`return ${data}`)();
      const drawn = node.map(([tag, { key: _key, ...attributes }]) => `<${tag}${written(attributes)}/>`);
      shapes.set(id, `<symbol id="${name}"${written(ICON_FRAME)}>${drawn.join("")}</symbol>`);
      const lean = `import { createLeanIcon } from "${LEAN_ICON}";\nexport default /*#__PURE__*/ createLeanIcon("/${fileName}#${name}");\n`;
      return { code: lean, map: null };
    },
    /** The browser's build knows which of lucide's icons are left when the rest is shaken off. */
    generateBundle(_, bundle) {
      const all = Object.values(bundle).flatMap(({ modules = {} }) => Object.entries(modules));
      const left = all.flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? id : []));
      const drawn = left.flatMap((id) => shapes.get(id) ?? []).sort();
      const source = `<svg xmlns="http://www.w3.org/2000/svg">${drawn.join("")}</svg>\n`;
      if (isBrowser) this.emitFile({ type: "asset", fileName, source });
    },
  };
}
/** As attributes are written. */
const written = (attributes) =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join("");
const LEAN_ICON = fileURLToPath(new URL("app/ui/parts/lean-icon.ts", import.meta.url)).replaceAll("\\", "/");

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [
    leanRouter,
    iconSprite(!isSsrBuild),
    notices,
    tailwind(),
    remix({
      appDirectory: "app",
      buildDirectory: "build",
      serverModuleFormat: "esm",
      future: {
        v3_fetcherPersist: true,
        v3_lazyRouteDiscovery: true,
        v3_relativeSplatPath: true,
        v3_routeConfig: true,
        v3_singleFetch: true,
        v3_throwAbortReason: true,
      },
    }),
  ],
  // The web loads one file with what it uses of its packages instead of a thousand (docs/decisions/0060). What remix-serve
  // loads anyway stays outside.
  ...(command === "build" && {
    ssr: { noExternal: true, external: ["@remix-run/node"] },
    define: { "process.env.NODE_ENV": '"production"' },
  }),
  // The first visit to a route must not re-optimise its dependencies in the middle of the page.
  optimizeDeps: {
    entries: ["./app/**/*.{ts,tsx}", "!./app/**/*.server.{ts,tsx}", "!./app/**/*.test.{ts,tsx}"],
  },
  esbuild: { legalComments: "none" }, // they are in assets/notices.txt
  build: {
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false }, // every browser that runs our CSS preloads by itself
    ...(isSsrBuild ? {} : { rollupOptions: { output: { manualChunks: commonChunk() } } }),
  },
}));
