import { ancestors } from "../../policy/sources/path_style.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";
import { hasGoModules, hasGoToolchain, type PackageOptions } from "./go_modules.ts";

/** The looks for what a program needs, by the name that its table has for them. */
const LOOKS: Readonly<Record<string, (runtime: Runtime, options: PackageOptions) => boolean>> = {
  go: hasGoModules,
  "go-toolchain": hasGoToolchain,
  bun: hasNodeModules,
  golangci: (runtime, options) =>
    !changesModules(runtime, options) && hasGoModules(runtime, options),
};

/** True if everything that a program needs in a folder is on this machine, so that it downloads nothing. */
export function hasPackages(
  runtime: Runtime,
  { look, ...options }: PackageOptions & { readonly look: string },
): boolean {
  return LOOKS[look]?.(runtime, options) ?? false;
}

/** Configuration files of golangci-lint. */
const LINT_FILES = ["yml", "yaml", "toml", "json"].map((ending) => `.golangci.${ending}`);

/** True if configuration of golangci-lint may let it download modules that go.sum does not name. */
function changesModules(
  runtime: Runtime,
  { folder, location: { home, homeReal } }: PackageOptions,
): boolean {
  try {
    const homes = [home, homeReal].flatMap((each) => each ?? []);
    const all = new Set([...ancestors(folder, runtime.platform), ...homes]);
    return [...all].flatMap((at) => LINT_FILES.map((name) => `${at === "/" ? "" : at}/${name}`))
      .some((path) =>
        runtime.isThere(path) &&
        /modules-download-mode|\\(?:[uUx]|$)|!!|^\s*\?\s/im.test(runtime.readText(path))
      );
  } catch (error) {
    if (error instanceof FileError || error instanceof RangeError) return true;
    throw error;
  }
}

/** True if a folder or one above it has `node_modules`, so that bun installs nothing by itself. */
function hasNodeModules(runtime: Runtime, { folder }: PackageOptions): boolean {
  try {
    return ancestors(folder, runtime.platform).some((at) =>
      runtime.stat(`${at === "/" ? "" : at}/node_modules`) === "directory"
    );
  } catch (error) {
    if (error instanceof FileError || error instanceof RangeError) return false;
    throw error;
  }
}
