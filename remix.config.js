// The one build configuration: in the Vite era this file IS the Vite config (docs/decisions/0001).
import { vitePlugin as remix } from "@remix-run/dev";
import tailwind from "@tailwindcss/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [
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
  // The first visit to a route must not re-optimise its dependencies in the middle of the page.
  optimizeDeps: {
    entries: ["./app/**/*.{ts,tsx}", "!./app/**/*.server.{ts,tsx}", "!./app/**/*.test.{ts,tsx}"],
  },
  build: { chunkSizeWarningLimit: 700 },
});
