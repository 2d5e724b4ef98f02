import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Plugin } from "vite";

/** Some module names begin with a zero byte: what the bundler made of an older kind of module. */
const PACKAGE_FOLDER = /\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;

/** Writes `licenses.txt` beside the page: the terms of every package whose code is in it. */
export function licenses(): Plugin {
  return {
    name: "montego-licenses",
    apply: "build",
    generateBundle(_options, bundle) {
      const folders = new Set<string>();
      for (const chunk of Object.values(bundle)) {
        for (const id of chunk.type === "chunk" ? chunk.moduleIds : []) {
          const folder = PACKAGE_FOLDER.exec(id)?.[0];
          if (folder !== undefined) folders.add(folder);
        }
      }
      const source = [...folders].sort().map(terms).join("\n\n");
      this.emitFile({ type: "asset", fileName: "licenses.txt", source });
    },
  };
}

/** The name, version and license text of the package in a folder. */
function terms(folder: string): string {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    name: string;
    version: string;
    license?: string;
  };
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\..*)?$/i.test(name));
  const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8").trim();
  return `${about.name} ${about.version} (${about.license ?? "see below"})\n\n${text}\n`;
}
