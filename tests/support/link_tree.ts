import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";

/** Makes folders, a file, and links to what is there and to what is not; `at` is the path of a name. */
export function makeLinks(at: (name: string) => string): void {
  mkdirSync(at("a/b/c"), { recursive: true });
  writeFileSync(at("a/f"), "x");
  symlinkSync("../a/b", at("a/l"));
  symlinkSync("a/b/c", at("l"));
  symlinkSync("../../gone/x", at("a/b/d"));
  symlinkSync(at("a/b/d/../y"), at("a/b/c/l"));
}
