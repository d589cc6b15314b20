import shell from "../../../defaults/shell.json" with { type: "json" };
import { onDemand } from "../../model/on_demand.ts";

/** The commands of these programs that only run what follows. */
const PURE_WRAPPERS: readonly string[] = [
  "asdf exec",
  "aws-vault exec",
  "bundle exec",
  "chamber exec",
  "conda run",
  "dotenvx run",
  "doppler run",
  "foreman run",
  "hatch run",
  "infisical run",
  "lerna exec",
  "mise exec",
  "nix develop",
  "op run",
  "pdm run",
  "pipenv run",
  "pixi run",
  "pnpm exec",
  "poetry run",
  "pyenv exec",
  "rbenv exec",
  "toolbox run",
  "uv run",
];

/** Programs that run what they are given; a wrapper may name one in no place. */
const runnerNames = onDemand((): ReadonlySet<string> => new Set(wordsOf(shell.runners)));

/** Other programs of which it is known what they run or change; a wrapper may not begin with one. */
const knownNames = onDemand((): ReadonlySet<string> => new Set(wordsOf(shell.runs)));

/** No longer word names one of them, in UTF-16 code units. */
const LONGEST_NAME = 64;

/** The index of the first word of a wrapper that names a known program; undefined if none does. */
export function isKnownProgram(wrapper: string): number | undefined {
  if (PURE_WRAPPERS.includes(wrapper)) return undefined;
  const words = wordsOf(wrapper);
  // "mise exec --" is a wrapper with an option too many.
  const option = words.findIndex((word) => word.startsWith("-"));
  if (option > 0 && PURE_WRAPPERS.includes(words.slice(0, option).join(" "))) return undefined;
  const at = words.findIndex((word, index) => {
    return isIn(runnerNames(), word) || index === 0 && isIn(knownNames(), word);
  });
  return at === -1 ? undefined : at;
}

/** The command of a wrapper's program that may be a wrapper; undefined if none may. */
export function pureWrapper(wrapper: string): string | undefined {
  const [name] = wordsOf(wrapper);
  return PURE_WRAPPERS.find((it) => it.startsWith(`${name} `));
}

/**
 * The source of a regular expression that fits most of what `knownWord` finds, for a JSON Schema: programs at the beginning,
 * in lower case and without version.
 */
export function knownWrapperPattern(): string {
  const names = [...runnerNames(), ...knownNames()].map((name) => name.replaceAll(".", "\\."));
  return `^(?!(?:${PURE_WRAPPERS.join("|")})$)(?:${names.join("|")})(?: |$)`;
}

/** True if a word names one of these programs, in any case, with or without its version (`python3.12`) or ending. */
function isIn(names: ReadonlySet<string>, word: string): boolean {
  if (word.length > LONGEST_NAME) return false;
  const name = word.toLowerCase();
  const bare = name.replace(/\.(?:exe|cmd|bat|com)$/, "");
  return [name, bare, bare.replace(/[-.\d]+$/, "")].some((it) => names.has(it));
}

function wordsOf(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
