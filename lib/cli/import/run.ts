import { type Format, type ImportResult, policyFileOf } from "../../agents/convert/format.ts";
import { detectFormats, IMPORT_FORMATS, loadFormat } from "../../agents/formats/format_registry.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { compileHooks } from "../../gate/hooks/compile_hooks.ts";
import type { PlacedHook } from "../../model/rule.ts";
import type { FileProblem, Loss } from "../../model/problem.ts";
import { decodePolicy } from "../../policy/decode/decode_policy.ts";
import { PolicyError } from "../../policy/decode/policy_error.ts";
import { printPolicy } from "../../policy/edit/print_policy.ts";
import { lossJson } from "../../report/loss_text.ts";
import { pathText } from "../../report/place_text.ts";
import { visible } from "../../text/visible.ts";
import { type AddAllResult, addAllToText } from "../../agents/convert/add_all_to_text.ts";
import { EXIT, InputError, UsageError } from "../errors/errors.ts";
import { readNamedFile } from "../input/named_file.ts";
import { openPolicyFor } from "../input/open_policy.ts";
import { reportLosses } from "../output/print_losses.ts";
import { type ScopeFile, scopeFile } from "../write/scope_file.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";
import { editRefused, writePolicyFile, writeSchemaFile } from "../write/write_file.ts";
import { warn, writeJson } from "../output/print.ts";

/** So many rules are added to a file that has rules, and to one that has none; each is looked up among them. */
const MOST_ADDED = { some: 200, none: 10_000 } as const;

/** Reads another agent's rules, and prints them or adds them to a policy file. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const name = flagValue(invocation, "from");
  if (name === undefined) {
    throw new UsageError("Cannot import without a file: --from is missing", {
      hint: "caliban perms import --from .claude/settings.json",
    });
  }
  const { format, reading } = await readForeign(name, { invocation, runtime });
  if (isEmpty(reading)) {
    return await reportNothing({ name, format, reading }, { invocation, runtime });
  }
  if (flagValue(invocation, "scope") !== undefined) {
    return await addToScope({ name, format, reading }, { invocation, runtime });
  }
  const { losses } = reading;
  await reportLosses({ format, losses, path: name, caveat: caveatOf(format) }, {
    invocation,
    runtime,
  });
  if (hasFlag(invocation, "json")) {
    await writeJson(runtime, resultJson(format, reading));
    return EXIT.ok;
  }
  const header = "#:schema ./permissions.schema.json\n" +
    `# Imported from ${visible(name)} (${format.title})\n`;
  const text = printPolicy(policyFileOf(reading), { header });
  await runtime.write("stdout", text);
  return EXIT.ok;
}

/** True if the file has no rule, neither one that comes along nor one that is lost. */
function isEmpty({ rules, hooks = [], defaultMode, losses }: ImportResult): boolean {
  return rules.length === 0 && hooks.length === 0 && defaultMode === undefined &&
    losses.every(({ action }) => action === undefined);
}

async function reportNothing(
  { name, format, reading }: Foreign,
  { invocation, runtime }: Running,
): Promise<number> {
  const { losses } = reading;
  await reportLosses({ format, losses, path: name }, { invocation, runtime });
  if (hasFlag(invocation, "json")) await writeJson(runtime, resultJson(format, reading));
  const message = `there is nothing to import: ${visible(name)} has no rules (${format.title})`;
  await warn(runtime, { label: "note:", message });
  return EXIT.ok;
}

function caveatOf({ title, caveat }: Format): string {
  return `${title}: ${caveat}`;
}

interface Foreign {
  readonly name: string;
  readonly format: Format;
  readonly reading: ImportResult;
}

interface Running {
  readonly invocation: Invocation;
  readonly runtime: Runtime;
}

/** Throws PolicyError with everything that cannot be read. */
async function readForeign(
  name: string,
  { invocation, runtime }: Running,
): Promise<Omit<Foreign, "name">> {
  const { path, text } = readNamedFile(name, runtime);
  const format = await chooseFormat(flagValue(invocation, "format"), { name, path, text });
  const reading = format.read?.(text, path);
  if (reading === undefined) {
    throw new UsageError(`Cannot import ${format.title}: it is supported for export only`);
  }
  const problems = [
    ...reading.problems.map((problem) => ({ ...problem, path: name, text })),
    ...await hookProblems(reading, { name, text }),
  ];
  if (problems.some(({ severity }) => severity === "error")) throw new PolicyError(problems);
  return { format, reading };
}

/** The errors in the matchers of hooks, with which the resulting file would not load. */
async function hookProblems(
  { hooks = [] }: ImportResult,
  { name, text }: { name: string; text: string },
): Promise<readonly FileProblem[]> {
  const placed = hooks.map((hook): PlacedHook => {
    const { line, column } = hook.span;
    return { ...hook, source: { kind: "flag", path: name, line, column }, text };
  });
  return (await compileHooks(placed)).problems.filter(({ severity }) => severity === "error");
}

async function chooseFormat(
  word: string | undefined,
  { name, path, text }: { name: string; path: string; text: string },
): Promise<Format> {
  const named = word === undefined ? undefined : await loadFormat(word);
  if (named) return named;
  const fitting = await detectFormats(path, text);
  const [only] = fitting;
  if (fitting.length === 1 && only) return only;
  const words = fitting.length > 1 ? fitting.map((format) => format.name) : IMPORT_FORMATS;
  const detail = fitting.length > 1
    ? "it matches more than one format"
    : "it matches no known format";
  throw new InputError(`Cannot detect the format of "${name}": ${detail}`, {
    hint: `Pass --format with one of ${words.join(", ")}`,
  });
}

async function addToScope({ name, format, reading }: Foreign, running: Running): Promise<number> {
  const { invocation, runtime } = running;
  const policy = await openPolicyFor(invocation, runtime);
  const target = scopeFile(runtime, {
    location: policy.location,
    scope: flagValue(invocation, "scope"),
  });
  const { profiles } = policy.policy;
  const mode = [...modeLoss(reading), ...hookLosses(reading)];
  let result: Extract<AddAllResult, { kind: "added" }> | undefined;
  let isNew = false;
  // With --strict a loss leaves the file as it was, so losses are reported before anything is written.
  await reportLosses({
    format,
    losses: [...reading.losses, ...mode],
    path: name,
    caveat: caveatOf(format),
  }, running);
  await writePolicyFile(target, (whole) => {
    isNew = whole === undefined;
    refuseMany(reading, whole ?? "");
    refuseRest(reading, { text: whole ?? "", name });
    const added = addAllToText(whole ?? "", { rules: reading.rules, profiles });
    if (added.kind === "refused") throw editRefused(added.why, target.path);
    if (added.losses.length > 0 && hasFlag(invocation, "strict")) {
      throw new InputError(
        `Cannot add the rules exactly: ${added.losses.length} would end up below stricter rules`,
        { hint: "Without --strict they are added anyway" },
      );
    }
    result = added;
    return added.added === 0 ? undefined : added.text;
  }, { location: policy.location, runtime });
  if (isNew && result?.added) await writeSchemaFile(target, { platform: policy.location.platform });
  const { added = 0, stood = 0, losses = [] } = result ?? {};
  await reportLosses({ format, losses }, running);
  await report({ target, format, reading, added, stood, losses: [...mode, ...losses] }, {
    ...running,
    shown: pathText(target.path, policy.location),
  });
  return EXIT.ok;
}

function refuseMany({ rules }: ImportResult, text: string): void {
  const most = decodePolicy(text).rules.length === 0 ? MOST_ADDED.none : MOST_ADDED.some;
  if (rules.length <= most) return;
  throw new InputError(`Cannot add ${rules.length} rules to this file: ${most} at most`, {
    hint: "Omit --scope, and insert the printed rules yourself",
  });
}

/**
 * A deny or ask of a whole tool behind allows is for all that they leave: in a file that has rules it would go above its
 * allows, as any stricter rule does.
 */
function refuseRest(
  { rules }: ImportResult,
  { text, name }: { readonly text: string; readonly name: string },
): void {
  if (decodePolicy(text).rules.length === 0) return;
  const first = rules.findIndex(({ action }) => action === "allow");
  const rest = rules.find(({ action, pattern }, at) =>
    action !== "allow" && first >= 0 && at > first && !/[(:]/.test(pattern)
  );
  if (!rest) return;
  throw new InputError(
    `Cannot add the rules of "${name}" to a file that has rules: "${rest.action} ${rest.pattern}" ` +
      "covers the calls that they leave, and would be inserted above the file's allow rules",
    { hint: "Omit --scope, and insert the printed rules yourself" },
  );
}

/** A mode applies to the whole file, so it is never written into a file with other rules. */
function modeLoss({ defaultMode }: ImportResult): readonly Loss[] {
  if (defaultMode === undefined || defaultMode === "default") return [];
  return [{
    kind: defaultMode === "plan" ? "widened" : "narrowed",
    subject: `default_mode = "${defaultMode}"`,
    detail: "--scope adds rules only: set it in the file yourself",
  }];
}

/** Hooks run code, so they are never written into a file with other rules. */
function hookLosses({ hooks = [] }: ImportResult): readonly Loss[] {
  return hooks.map(({ event, command, span }) => ({
    kind: "widened",
    subject: `hooks.${event}: ${command.value}`,
    detail: "--scope adds rules only: omit it, and copy the printed [[hooks]]",
    span,
  }));
}

interface Report {
  readonly target: ScopeFile;
  readonly format: Format;
  readonly reading: ImportResult;
  readonly added: number;
  readonly stood: number;
  readonly losses: readonly Loss[];
}

async function report(
  { target, format, reading, added, stood, losses }: Report,
  { invocation, runtime, shown }: Running & { shown: string },
): Promise<void> {
  if (hasFlag(invocation, "json")) {
    const { path, scope } = target;
    const all = { ...reading, losses: [...reading.losses, ...losses] };
    return await writeJson(runtime, { ...resultJson(format, all), scope, path, added, stood });
  }
  const rules = (count: number) => `${count} rule${count === 1 ? "" : "s"}`;
  const already = stood === 0 ? "" : `; ${rules(stood)} already existed`;
  await runtime.write("stdout", `Added ${rules(added)} to ${shown}${already}\n`);
}

function resultJson(
  format: Format,
  { rules, hooks = [], defaultMode, losses }: ImportResult,
): object {
  return {
    format: format.name,
    defaultMode: defaultMode ?? null,
    rules: rules.map(({ span, ...rule }) => ({ ...rule, ...(span ? { line: span.line } : {}) })),
    hooks: hooks.map(({ event, matcher, command, span }) => ({
      event,
      matcher: matcher?.value ?? "",
      command: command.value,
      line: span.line,
    })),
    losses: losses.map(lossJson),
  };
}
