import type { PolicyLocation } from "../load/policy_location.ts";
import type { Runtime } from "../runtime/runtime.ts";

/** A version of go; one before a release counts as that of the release before. */
export type Version = readonly [number, number, number];

/** The version that a line of a go.mod names; undefined without such a line, or with one that is not plain. */
export function versionIn(text: string, name: "go" | "toolchain"): Version | undefined {
  const lines = [...text.matchAll(new RegExp(`^[ \\t]*${name}(?![\\w./-])(.*)$`, "gm"))];
  const found = lines.length === 1
    ? /^[ \t]+(?:go)?(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?[ \t]*(?:\/\/.*)?\r?$/.exec(lines[0]![1]!)
    : null;
  return found ? [Number(found[1]), Number(found[2]), Number(found[3] ?? 0)] : undefined;
}

/** True if a version is the same as another or older. */
export function isAtMost(one: Version, other: Version): boolean {
  const at = [0, 1, 2].find((each) => one[each] !== other[each]);
  return at === undefined || one[at]! < other[at]!;
}

/** The first version that downloads nothing that go.sum does not name, and the first that may download another toolchain. */
const READ_ONLY: Version = [1, 16, 0];
const SWITCHES: Version = [1, 21, 0];

/** Variables that may make go download more; with a value, if they are harmless then. */
const STEERING: Readonly<Record<string, RegExp>> = {
  GOFLAGS:
    /^(?:-(?:mod=vendor|buildvcs=\w+|count=\d+|p=\d+|v|race|trimpath|modcacherw)(?:\s+|$))*$/,
  GOENV: /^$/,
  GOWORK: /^(?:off)?$/,
  GO111MODULE: /^(?:on)?$/,
  GOTOOLCHAIN: /^(?:auto|local)?$/,
};

/** Variables that may not stand in the file of go's settings. */
const OF_FILE = /^\s*(?:GOFLAGS|GOWORK|GO111MODULE|GOTOOLCHAIN|GOPATH|GOMODCACHE|GOROOT)\s*=/m;

/**
 * The version of the go on the PATH; `isFixed`: it takes no other one. Undefined if it is not known, or if the user's settings may
 * make it download more than a module names. Throws FileError.
 */
export function goToolchain(
  runtime: Runtime,
  { home, platform }: Pick<PolicyLocation, "home" | "platform">,
): { readonly version: Version; readonly isFixed: boolean } | undefined {
  const isSteered = Object.entries(STEERING).some(([name, harmless]) =>
    !harmless.test(runtime.env(name) ?? "")
  );
  if (isSteered || home === undefined || hasSettings(runtime, { home, platform })) return undefined;
  const root = installed(runtime);
  const file = `${root}/VERSION`;
  if (root === undefined || runtime.stat(file) !== "file") return undefined;
  const found = /^go(\d+)\.(\d+)(?:\.(\d+))?(?:\s|$)/.exec(runtime.readText(file));
  if (found === null) return undefined;
  const version: Version = [Number(found[1]), Number(found[2]), Number(found[3] ?? 0)];
  if (!isAtMost(READ_ONLY, version)) return undefined;
  const isFixed = !isAtMost(SWITCHES, version) || runtime.env("GOTOOLCHAIN") === "local";
  return { version, isFixed };
}

/** True if the user's file of go's settings may change what it downloads, or is not known. */
function hasSettings(
  runtime: Runtime,
  { home, platform }: { readonly home: string; readonly platform: PolicyLocation["platform"] },
): boolean {
  const folder = platform === "darwin"
    ? `${home}/Library/Application Support`
    : runtime.env("XDG_CONFIG_HOME") || `${home}/.config`;
  const path = `${folder}/go/env`;
  return runtime.isThere(path) && OF_FILE.test(runtime.readText(path));
}

/** The folder of the go that PATH leads to. */
function installed(runtime: Runtime): string | undefined {
  const folder = (runtime.env("PATH") ?? "").split(":").find((each) =>
    each.startsWith("/") && runtime.stat(`${each}/go`) === "file"
  );
  const real = folder === undefined ? null : runtime.realPath(`${folder}/go`);
  const root = real?.match(/^(.*)\/bin\/go$/)?.[1];
  const named = runtime.env("GOROOT");
  return !named || root !== undefined && runtime.realPath(named) === root ? root : undefined;
}
