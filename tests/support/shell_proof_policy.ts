/** Holds the verdict of the engine against what a proof claims. */
import { policyFromToml, type UnitVerdict } from "../../lib/core.ts";
import { baseName } from "../../lib/shell/programs/program_catalog.ts";
import { readLine } from "../../lib/shell/read_line.ts";
import { oneRepository } from "./policy.ts";
import type { Proof } from "./shell_proof.ts";

/** A rule: its action, a blank, its pattern. */
type RuleText = string;

/** A claim, and the names of the program that it is about. */
export interface Claim {
  /** The claim. */
  readonly proof: Proof;
  /** The names of its program. */
  readonly names: ReadonlySet<string>;
}

/** The way that the engine departs from a claim; undefined if it does not. */
export function deviation({ proof, names }: Claim): string | undefined {
  const { command, proves } = proof;
  switch (proves) {
    case "read":
      return unguarded({ proof, names }, { rule: "deny Read:**", kind: "read" });
    case "write":
      return unguarded({ proof, names }, { rule: "deny Write:**", kind: "write" });
    case "url":
      return unguarded({ proof, names }, { rule: "deny WebFetch:*", kind: "url" });
    case "output": {
      const refused = refusedUnits(command, allowing({ proof, names }));
      return refused.some((unit) => isOutput(unit, proof))
        ? undefined
        : "what it writes is allowed";
    }
    case "run":
    case "code":
    case "acts":
    case "commands":
    case "script":
    case "inner": {
      const files = writesFile(proof) ? [] : ["allow Write:**"];
      const refused = refusedUnits(command, [...allowing({ proof, names }), ...files]);
      return refused.length > 0 ? undefined : "it is allowed";
    }
  }
  return `no kind "${proves}" is known`;
}

/** Why an ordinary use is not allowed by a rule for its program alone; undefined when it is. */
export function objection(command: string): string | undefined {
  const [first = ""] = command.split(" ");
  const rules = [`allow ${prefixOf(first)}`, "allow Write:./**"];
  return refusedUnits(command, rules)[0]?.reason;
}

/** Why a rule that is said to be the widest that must not allow a proof would not do so anyway. */
export function idleRule({ proof, names }: Claim): string | undefined {
  const { command, allow } = proof;
  if (allow === undefined) return undefined;
  const { units } = verdictOf(command, allowing({ proof, names }));
  const fits = units.some(({ action, rule }) => action === "allow" && rule?.pattern === allow);
  return fits ? undefined : `\`${allow}\` fits nothing in it`;
}

/** That the program is seen to open a file of this kind, under rules that would allow all else. */
function unguarded(
  { proof: { command }, names }: Claim,
  { rule, kind }: { rule: RuleText; kind: UnitVerdict["kind"] },
): string | undefined {
  const refused = refusedUnits(command, [rule, "allow Bash"]);
  const seen = refused.some((unit) => unit.kind === kind && isBy(unit, names));
  return seen ? undefined : `no ${kind} is seen`;
}

/** True if a unit was reached through the program. */
function isBy({ via }: UnitVerdict, names: ReadonlySet<string>): boolean {
  return via !== null && names.has(baseName(via.split(" ")[0]!));
}

/**
 * The rules under which a claim must not be allowed: the claim's own or one for the program alone, and such for all
 * other programs of the line, which prepare what the claim is about.
 */
function allowing({ proof, names }: Claim): readonly RuleText[] {
  const { command, allow } = proof;
  const started = readLine(command).effects.flatMap(({ kind, depth, name }) =>
    kind === "command" && depth === 0 && name !== undefined ? [name] : []
  );
  const helpers = started.filter((name) =>
    !/payload|^\.\//.test(name) && !(allow !== undefined && names.has(baseName(name)))
  );
  const patterns = [...(allow === undefined ? [] : [allow]), ...helpers.map(prefixOf)];
  return patterns.map((pattern) => `allow ${pattern}`);
}

function prefixOf(name: string): string {
  return `Bash(${name}:*)`;
}

/** True if a proof shows a file that a script in the program's own language writes. */
function writesFile({ leaves }: Proof): boolean {
  return leaves !== undefined && !leaves.includes("PROOF");
}

/** True if a unit is the file that a claim is about, a folder that holds it, or unknown. */
function isOutput({ kind, text }: UnitVerdict, { leaves }: Proof): boolean {
  if (kind !== "write") return kind === "opaque";
  const written = text.replace(/^\.\/|\/$/g, "");
  return leaves === undefined ||
    leaves.some((path) => path.startsWith(written) || `/${path}`.endsWith(`/${written}`));
}

function refusedUnits(command: string, rules: readonly RuleText[]): readonly UnitVerdict[] {
  return verdictOf(command, rules).units.filter(({ action }) => action !== "allow");
}

function verdictOf(command: string, rules: readonly RuleText[]) {
  const toml = rules.map((rule) => {
    const at = rule.indexOf(" ");
    const pattern = JSON.stringify(rule.slice(at + 1));
    return `[[permissions.rules]]\npattern = ${pattern}\naction = "${rule.slice(0, at)}"\n`;
  });
  const policy = policyFromToml(toml.join("\n"), {
    workspace: "/work",
    home: "/home/ada",
    gitRepository: oneRepository("/work"),
  });
  return policy.evaluate({ tool: "Bash", input: { command }, cwd: "/work" });
}
