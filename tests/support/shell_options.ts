/** Options whose help shows a file, a folder, a program or a URL as their value: a rule for their program does not cover these unseen. */
import table from "../cases/shell/options/files.json" with { type: "json" };
import names from "../cases/shell/options/names.json" with { type: "json" };
import { evaluate } from "../../lib/decide/evaluate.ts";
import { policyFromToml } from "../../lib/policy/sources/policy_from_toml.ts";
import { readLine } from "../../lib/shell/read_line.ts";

/** One option. */
export interface HelpOption {
  /** `tar --exclude-from`. */
  readonly name: string;
  /** Lines with it. */
  readonly lines: readonly string[];
  /** True if the tables see its value in each line as they are now. */
  readonly isSeen: () => boolean;
}

const GUARDS = ["Read:**", "Write:**", "WebFetch:*"].map((pattern) => [
  ["deny", pattern],
  ["allow", "Bash"],
]);

/** The options of all programs, by the help of the version that stands beside them. */
export const HELP_OPTIONS: readonly HelpOption[] = Object.entries(table.programs)
  .flatMap(([program, { options }]) =>
    Object.entries(options as Record<string, readonly string[]>).flatMap(([sub, names]) => {
      const head = sub === "" ? program : `${program} ${sub}`;
      return names.map((name) => helpOption(head, name));
    })
  );

/** Those whose values the tables do not see, sorted. */
export const UNSEEN: readonly string[] = table.unseen;

function helpOption(head: string, name: string): HelpOption {
  const lines = name.startsWith("--")
    ? [`${head} ${name}=zq`, `${head} ${name} zq`]
    : [`${head} ${name} zq`];
  return {
    name: `${head} ${name}`,
    lines,
    isSeen: () => lines.every((line) => isSeen(head, line)),
  };
}

/** True if rules about files and hosts, or one that only names the program, stop a line, and not already without the option. */
function isSeen(head: string, line: string): boolean {
  const isGuarded = GUARDS.some((rules) =>
    actionOf(rules, head) === "allow" && actionOf(rules, line) !== "allow"
  );
  return isGuarded ||
    actionOf([["allow", `Bash(${head}:*)`], ["allow", "Write:./zqn"]], line) !== "allow";
}

function actionOf(rules: readonly (readonly string[])[], command: string) {
  const toml = rules.map(([action, pattern]) =>
    `[[permissions.rules]]\npattern = ${JSON.stringify(pattern)}\naction = "${action}"\n`
  );
  const policy = policyFromToml(toml.join(""), { workspace: "/work", home: "/home/ada" });
  return evaluate(policy, { tool: "Bash", input: { command }, cwd: "/work" }).action;
}

/** An option of a program that has a class. */
export interface NamedOption {
  /** The command with it. */
  readonly line: string;
  /** True if a command with it has a class by the tables as they are now. */
  readonly isNamed: () => boolean;
}

const FORMS = {
  flag: (name: string) => name,
  glued: (name: string) => name,
  value: (name: string) => name.startsWith("--") ? `${name}=zq` : `${name} zq`,
} as const;

/** The options of programs that have a class, by the help of the version that stands beside them. */
export const NAMED_OPTIONS: readonly NamedOption[] = Object.values(names.programs)
  .flatMap(({ commands }) =>
    Object.entries(commands as Record<string, Partial<Record<keyof typeof FORMS, string>>>)
      .flatMap(([command, kinds]) =>
        Object.entries(kinds).flatMap(([kind, options]) =>
          options.split(" ").map((name) => {
            const line = `${command} ${FORMS[kind as keyof typeof FORMS](name)}`;
            return { line, isNamed: () => hasClass(line) };
          })
        )
      )
  );

/** The lines whose options no table names, sorted. */
export const UNNAMED: readonly string[] = names.unnamed;

function hasClass(line: string): boolean {
  const [command] = readLine(line, { wantsClasses: true }).effects;
  const classes = command?.traits?.().classes ?? ["unknown"];
  return !classes.includes("unknown");
}
