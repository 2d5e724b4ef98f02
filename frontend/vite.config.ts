/// <reference types="vitest/config" />
import { defineConfig } from "vite";

import { licenses } from "./licenses";

/** Where `montego play` listens while the page is worked on. */
const SERVER = process.env.MONTEGO_SERVER ?? "http://127.0.0.1:8087";

export default defineConfig({
  // The page is served from the root, and asks no other host for anything.
  base: "/",
  plugins: [licenses()],
  build: {
    outDir: "../src/montego/web/static",
    emptyOutDir: true,
    // Every file has an address of its own, as the content security policy wants it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    chunkSizeWarningLimit: 300,
    rollupOptions: {
      output: {
        // Catalogues are told from script by their name: a page loads one of them at most.
        chunkFileNames: ({ facadeModuleId }) =>
          facadeModuleId?.includes("/catalogues/") ? "assets/language-[name]-[hash].js" : "assets/[name]-[hash].js",
      },
    },
  },
  server: {
    proxy: {
      "/ws": { target: SERVER, ws: true, changeOrigin: true, rewriteWsOrigin: true },
      "/games": { target: SERVER, changeOrigin: true },
      "/upload": { target: SERVER, changeOrigin: true, headers: { Origin: SERVER } },
    },
  },
  resolve: {
    // One Preact, whoever imports it.
    dedupe: ["preact"],
  },
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.{ts,tsx}"],
    restoreMocks: true,
    // Nothing is measured here, and machines that run tests are busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Shudan is built from its modules, so that it uses the same Preact as the page.
    server: { deps: { inline: ["@sabaki/shudan"] } },
  },
});
