/** The path of the manual page in the package; npm puts it beside those of the system where it installs for everyone. */
export const MANUAL = "man/caliban.1";

/** The fields of the repository's `package.json` that the package needs. */
export interface SourceManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: object;
}

/**
 * The package's `package.json`: plain JavaScript for Node 20 and later, Deno and Bun, without dependencies. `openai` is a peer that is
 * needed only where a model is asked.
 */
export function manifestOf(
  source: SourceManifest,
  entries: Readonly<Record<string, string>>,
): object {
  const { name, version, description, license, peerDependencies, peerDependenciesMeta } = source;
  const file = (path: string, ending: string) => `./${path.replace(/\.ts$/, ending)}`;
  return {
    name,
    version,
    description,
    license,
    type: "module",
    sideEffects: ["./chunks/*.js"],
    engines: { node: ">=20" },
    bin: { caliban: "bin/caliban.cjs" },
    // npm links it only from a list.
    man: [`./${MANUAL}`],
    exports: {
      ...Object.fromEntries(
        Object.entries(entries).map(([key, path]) => [
          key,
          { types: file(path, ".d.ts"), default: file(path, ".js") },
        ]),
      ),
      "./package.json": "./package.json",
    },
    peerDependencies,
    peerDependenciesMeta,
    publishConfig: { access: "public" },
  };
}
