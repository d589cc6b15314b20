import { fileOfReading } from "../../agents/convert/conversion.ts";
import type { Format, FormatReading } from "../../agents/convert/format.ts";
import { detectFormats, formatNamed, FORMATS } from "../../agents/convert/registry.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import { compileHooks } from "../../gate/hooks/compile_hooks.ts";
import type { PlacedHook } from "../../model/hook.ts";
import type { Loss } from "../../model/loss.ts";
import type { FileProblem } from "../../model/problem.ts";
import { decodePolicy } from "../../policy/decode/decode_policy.ts";
import { PolicyError } from "../../policy/decode/policy_error.ts";
import { writePolicy } from "../../policy/edit/write_policy.ts";
import { lossJson } from "../../report/loss_text.ts";
import { pathText } from "../../report/place_text.ts";
import { visible } from "../../text/visible.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { type AddAllResult, addAllToText } from "../../agents/convert/add_all_to_text.ts";
import { editRefused } from "../edit_refused.ts";
import { InputError, UsageError } from "../errors.ts";
import { EXIT } from "../exit_status.ts";
import { flagValue, hasFlag } from "../invocation.ts";
import { openFor } from "../policy_flags.ts";
import { reportLosses } from "../report_losses.ts";
import { type ScopeFile, scopeFile } from "../scope.ts";
import type { Invocation } from "../verb.ts";
import { writePolicyFile } from "../write_file.ts";
import { writeJson } from "../write_json.ts";
import { writeSchema } from "../write_schema.ts";

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
  const { format, reading } = readForeign(name, { invocation, runtime });
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
  const text = writePolicy(fileOfReading(reading), { header });
  await runtime.write("stdout", text);
  return EXIT.ok;
}

function caveatOf({ title, caveat }: Format): string {
  return `${title}: ${caveat}`;
}

/** A foreign file, read. */
interface Foreign {
  readonly name: string;
  readonly format: Format;
  readonly reading: FormatReading;
}

interface Running {
  readonly invocation: Invocation;
  readonly runtime: Runtime;
}

/** Throws PolicyError with everything that cannot be read. */
function readForeign(name: string, { invocation, runtime }: Running): Omit<Foreign, "name"> {
  const path = pathStyle(runtime.platform).absolute(name, runtime.cwd());
  if (runtime.stat(path) === undefined) {
    throw new FileError(`Cannot read "${name}": there is no such file`, {
      path,
      fault: "not-found",
    });
  }
  const text = runtime.readText(path).replace(/^\ufeff/, "");
  const format = chooseFormat(flagValue(invocation, "format"), { name, path, text });
  const reading = format.read?.(text, path);
  if (reading === undefined) {
    throw new UsageError(`Cannot import ${format.title}: it can only be written`);
  }
  const problems = [
    ...reading.problems.map((problem) => ({ ...problem, path: name, text })),
    ...hookProblems(reading, { name, text }),
  ];
  if (problems.some(({ severity }) => severity === "error")) throw new PolicyError(problems);
  return { format, reading };
}

/** What is wrong with the matchers of hooks: the file that is made of them would not load. */
function hookProblems(
  { hooks = [] }: FormatReading,
  { name, text }: { name: string; text: string },
): readonly FileProblem[] {
  const placed = hooks.map((hook): PlacedHook => {
    const { line, column } = hook.span;
    return { ...hook, source: { kind: "flag", path: name, line, column }, text };
  });
  return compileHooks(placed).problems.filter(({ severity }) => severity === "error");
}

function chooseFormat(
  word: string | undefined,
  { name, path, text }: { name: string; path: string; text: string },
): Format {
  const named = word === undefined ? undefined : formatNamed(word);
  if (named) return named;
  const fitting = detectFormats(path, text);
  const [only] = fitting;
  if (fitting.length === 1 && only) return only;
  const all = fitting.length > 1 ? fitting : FORMATS.filter(({ read }) => read);
  const words = all.map((format) => format.name).join(", ");
  const detail = fitting.length > 1
    ? "it could be of more than one"
    : "it looks like none that is known";
  throw new InputError(`Cannot tell the format of "${name}": ${detail}`, {
    hint: `Say --format with one of ${words}`,
  });
}

async function addToScope({ name, format, reading }: Foreign, running: Running): Promise<number> {
  const { invocation, runtime } = running;
  const policy = await openFor(invocation, runtime);
  const target = scopeFile(runtime, { facts: policy.facts, scope: flagValue(invocation, "scope") });
  const { profiles } = policy.policy;
  const mode = [...modeLoss(reading), ...hookLosses(reading)];
  let result: Extract<AddAllResult, { kind: "added" }> | undefined;
  let isNew = false;
  // What --strict does not take must leave the file as it was, so that losses are told before anything is written.
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
        `Cannot add the rules exactly: ${added.losses.length} would come to stand below stricter ones`,
        { hint: "Without --strict they are added" },
      );
    }
    result = added;
    return added.added === 0 ? undefined : added.text;
  });
  if (isNew && result?.added) await writeSchema(target, { platform: policy.facts.platform });
  const { added = 0, stood = 0, losses = [] } = result ?? {};
  await reportLosses({ format, losses }, running);
  await report({ target, format, reading, added, stood, losses: [...mode, ...losses] }, {
    ...running,
    shown: pathText(target.path, policy.facts),
  });
  return EXIT.ok;
}

function refuseMany({ rules }: FormatReading, text: string): void {
  const most = decodePolicy(text).rules.length === 0 ? MOST_ADDED.none : MOST_ADDED.some;
  if (rules.length <= most) return;
  throw new InputError(`Cannot add ${rules.length} rules to this file: ${most} at most`, {
    hint: "Leave --scope out, and put what is printed where it belongs",
  });
}

/**
 * A deny or ask of a whole tool behind allows is for all that they leave: in a file that has rules it would go above its
 * allows, as any stricter rule does.
 */
function refuseRest(
  { rules }: FormatReading,
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
      "is for what they leave, and would go above what the file allows",
    { hint: "Leave --scope out, and put what is printed where it belongs" },
  );
}

/** A mode is a setting of the whole file, and never written beside rules that somebody else wrote. */
function modeLoss({ defaultMode }: FormatReading): readonly Loss[] {
  if (defaultMode === undefined || defaultMode === "default") return [];
  return [{
    kind: defaultMode === "plan" ? "widened" : "narrowed",
    subject: `default_mode = "${defaultMode}"`,
    detail: "with --scope only rules are written: set it in the file yourself",
  }];
}

/** Hooks run code, and are never written beside what somebody else wrote. */
function hookLosses({ hooks = [] }: FormatReading): readonly Loss[] {
  return hooks.map(({ event, command, span }) => ({
    kind: "widened",
    subject: `hooks.${event}: ${command.value}`,
    detail: "with --scope only rules are written: leave it out, and copy [[hooks]] from there",
    span,
  }));
}

interface Report {
  readonly target: ScopeFile;
  readonly format: Format;
  readonly reading: FormatReading;
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
  const already = stood === 0 ? "" : `; ${rules(stood)} stood there already`;
  await runtime.write("stdout", `Added ${rules(added)} to ${shown}${already}\n`);
}

function resultJson(
  format: Format,
  { rules, hooks = [], defaultMode, losses }: FormatReading,
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
