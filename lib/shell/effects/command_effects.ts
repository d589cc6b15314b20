import type { AllowText, ChangedPath, Effect } from "../effect.ts";
import { fixedWord, isFixed, type Word } from "../parse/tree.ts";
import { hasUse } from "../programs/program_use.ts";
import {
  enteredScope,
  exactText,
  NO_TEXTS,
  openCommand,
  outerAllowTexts,
  type Scope,
  type UnknownPlace,
  useAllowTexts,
} from "./command_context.ts";
import {
  cdTarget,
  type FoldersAfter,
  foldersAfter,
  inFolder,
  inFolders,
  isPush,
  isStart,
  joinPath,
} from "./folders.ts";
import { commandTraits } from "./command_traits.ts";
import type { LineState } from "./line_state.ts";
import { keepsTree } from "./may_change_tree.ts";
import { addRunWords } from "./may_run_words.ts";
import { patchUses } from "./patch_uses.ts";
import { feedsInput, redirectEffects } from "./redirect_effects.ts";
import { areHarmless, isHarmlessAssignment } from "./texts/assignment_kind.ts";
import { textsIn } from "./texts/command_texts.ts";
import { denyTexts, type SimpleCommand } from "./simple_command.ts";
import { allowTextsOf } from "./texts/named_urls.ts";
import { addUse, promptUse } from "./use_effects.ts";
import { readWrapped } from "./wrapped_effects.ts";

/** Adds the effects of a simple command and of all commands that it runs. Returns the folders of the next command. */
export function readSimple(parsed: SimpleCommand, scope: Scope): FoldersAfter {
  const inPlace = textsIn(parsed.texts, scope.folders);
  const command = inPlace === parsed.texts ? parsed : { ...parsed, texts: inPlace };
  const { words, texts, node, reading } = command;
  const { line } = scope;
  const sets = mayHaveSet(command);
  const expands = node.inners.length + node.unknowns.length + node.arithmetic.length > 0;
  const exact = sets || expands ? { ...scope, allowTexts: exactTexts(command, scope) } : undefined;
  if (exact && sets) setVariables(command, exact);
  const owner = line.add(
    words.length === 0 ? idleEffect(command, scope) : programEffect(command, scope),
  );
  if (node.redirects.length > 0) {
    // Only the written text holds the redirections.
    const written = [{ text: texts.written, minLiteral: 0, maxLiteral: Infinity }];
    for (const effect of redirectEffects(node.redirects, { ...scope, allowTexts: written })) {
      line.add(effect);
    }
  }
  if (exact && expands) line.readExpansions(node, exact);
  line.state.optionsAfter(words);
  // A command that it runs may run again.
  if (reading.wrapped.length > 0) treeAfter(command, line.state);
  const inside = enteredScope(scope, command.reading.enters);
  const inner = readWrapped(command, inside);
  const patched = reading.takesPatch ? patchUses(command, { isFed: isFed(command, scope) }) : [];
  const { uses } = reading;
  if (uses.length + patched.length > 0) {
    const owned = { line, context: inside.context, folders: inside.folders, owner };
    for (let at = 0; at < uses.length; at++) addUse(uses[at]!, { command, scope: owned });
    for (const use of patched) addUse(use, { command, scope: owned });
  }
  if (reading.prompt && isFed(command, scope)) {
    addUse(promptUse(words, reading.prompt), { command, scope: { ...scope, owner } });
  }
  if (words[0]?.shape === "exec" && feedsInput(node.redirects)) line.state.giveInput();
  line.state.linksAfter(words);
  if (reading.wrapped.length === 0) treeAfter(command, line.state);
  line.state.filesAfter(command);
  line.state.addChanged(changedBy(command, inside));
  return foldersAfter(command, { folders: scope.folders, inner });
}

/** Records the changes that a command, and the commands that it runs, may make to what names mean. */
function treeAfter({ words, reading }: SimpleCommand, state: LineState): void {
  if (words.length === 0) return;
  if (!reading.keepsTree || words[0]!.shape.includes("/")) state.treeChanges();
  else if (reading.wrapped.length > 0) {
    state.treeChangesIf(() => !keepsTree(words, reading, state.catalog));
  }
}

/** True if the line gives a command its standard input. */
function isFed({ node }: SimpleCommand, { context, line }: Scope): boolean {
  return context.fed || line.state.givesInput || feedsInput(node.redirects);
}

/** An exact rule allows all that is unknown in a command. */
function exactTexts(command: SimpleCommand, { context }: Scope): readonly AllowText[] {
  const { texts, node: { unknowns, arithmetic, assignments }, reading: { uses } } = command;
  const isExact = unknowns.length + arithmetic.length + assignments.length + uses.length > 0;
  if (!isExact) return NO_TEXTS;
  return [
    exactText(texts.written),
    ...outerAllowTexts(context).map((each) => ({ ...each, minLiteral: Infinity })),
  ];
}

/** The effect of assignments or redirections that stand alone and run nothing. */
function idleEffect(command: SimpleCommand, { context: { via, depth } }: Scope): Effect {
  const { node, texts } = command;
  return {
    kind: "command",
    text: node.text,
    via,
    depth,
    checkedAgainst: "allRules",
    isHarmless: true,
    runsNothing: true,
    allowTexts: texts.own.map((each) => ({ ...each, minLiteral: 0 })),
    denyTexts: denyTexts(command),
  };
}

function programEffect(command: SimpleCommand, scope: Scope): Effect {
  const { words, texts, node } = command;
  const { context, line: { state }, folders } = scope;
  const first = words[0]!;
  const isNameFixed = isFixed(first.shape) && first.shape !== "" &&
    node.words[0]!.choices === undefined;
  const hasInput = isFed(command, scope);
  const allowTexts = allowTextsOf(command, { context, isFed: hasInput });
  if (!isNameFixed) return unfixedEffect(command, { context, allowTexts });
  const isElsewhere = first.shape.includes("/") && /^(?!\/|~\/).*\//.test(first.shape) &&
    !isStart(folders);
  const isHarmless = harmlessness(command, scope);
  const effect = openCommand({
    kind: "command",
    text: texts.written,
    via: context.via,
    depth: context.depth,
    checkedAgainst: "allRules",
    isHarmless,
    allowTexts: isElsewhere ? NO_TEXTS : allowTexts,
    denyTexts: denyTexts(command),
  });
  effect.name = first.shape;
  if (state.wantsClasses) {
    const inside = enteredScope(scope, command.reading.enters);
    effect.traits = commandTraits(command, { scope: inside, isFed: hasInput });
  }
  addRunWords(effect, { command, catalog: state.catalog });
  // A function may have the name of a builtin.
  if (isHarmless === true && !state.hasFunctions) {
    if (command.reading.runsNothing) effect.runsNothing = true;
    else if (command.reading.printsWords) effect.printsWords = true;
  }
  if (command.reading.usesRepository) effect.repository = repositoryOf(command, scope);
  return effect;
}

/** The effect of a command whose program the line does not fix. */
function unfixedEffect(
  command: SimpleCommand,
  { context: { via, depth }, allowTexts }: UnknownPlace,
): Effect {
  const { raw } = command.words[0]!;
  return {
    kind: "opaque",
    text: command.texts.written,
    via,
    depth,
    why: `the program that runs is not fixed: ${raw === "" ? "''" : raw}`,
    checkedAgainst: "allRules",
    isHarmless: false,
    allowTexts: allowTexts.map((each) => ({ ...each, minLiteral: Infinity })),
    denyTexts: denyTexts(command),
  };
}

function repositoryOf(
  command: SimpleCommand,
  scope: Scope,
): NonNullable<Effect["repository"]> {
  const { words, reading, texts } = command;
  const { line: { state }, folders, context } = scope;
  const { paths, open } = enteredScope(scope, command.reading.enters).folders;
  const remotes = reading.remotes.flatMap(({ shape }) =>
    isFixed(shape) ? paths.map((path) => joinPath(path, shape)) : []
  );
  // A rule can name the folder only where that stands in the command.
  let last = isStart(folders) ? words.length - 1 : -1;
  while (last >= 0 && words[last]!.raw !== reading.enters?.raw) last--;
  const allowTexts = last < 0 ? [] : useAllowTexts(texts, { last, context });
  const mayBeMade = state.makesFiles;
  return { folders: paths, open, mayBeMade, remotes, allowTexts };
}

const NO_CHANGES: readonly ChangedPath[] = [];

/** The names that may be links behind a command. */
function changedBy({ reading }: SimpleCommand, { folders }: Scope): readonly ChangedPath[] {
  const { relinks, uses } = reading;
  if (relinks === undefined) return NO_CHANGES;
  const trees = relinks === "tree" || folders.open
    ? folders.paths.map((path) => ({ path, isTree: true }))
    : [];
  if (folders.open) return trees;
  const written = uses.filter(({ kind }) => kind === "write" || kind === "fill").flatMap((
    { value: { shape } },
  ) =>
    folders.paths.map((path) =>
      isFixed(shape) ? { path: joinPath(path, shape), isTree: false } : { path, isTree: true }
    )
  );
  return [...trees, ...written];
}

function harmlessness(
  { words, reading, node }: SimpleCommand,
  { line, context, folders }: Scope,
): Effect["isHarmless"] {
  const { shape } = words[0]!;
  const areKnown = areHarmless(node.assignments, line.state.catalog);
  if (!areKnown || shape.includes("/")) return false;
  if (reading.isTransparentWrapper) return true;
  if (shape === "cd" || isPush(words)) return inFolder(cdTarget(words), folders);
  if (!reading.isHarmless || context.piped) return false;
  // Without an operand it prints all variables.
  if (shape === "set" && words.length === 1) return false;
  // Without a variable, and with -p, these print them all.
  if (DECLARES.has(shape)) {
    return words.length > 1 && words.every((word, at) => at === 0 || /^\w+=/.test(word.shape));
  }
  return reading.folders.length === 0 || inFolders(reading.folders, folders);
}

/** Builtins that set the variables that they name. */
const DECLARES: ReadonlySet<string> = new Set([
  "export",
  "declare",
  "typeset",
  "readonly",
  "local",
]);

/** True for a command that may set a variable. */
function mayHaveSet({ words, node, reading }: SimpleCommand): boolean {
  return node.assignments.length > 0 || words[0]?.shape === "set" ||
    hasUse(reading, "name");
}

/** Records the variables that a command sets, and reports those that change what runs afterwards. */
function setVariables(
  { words, reading, node }: SimpleCommand,
  scope: UnknownPlace & Pick<Scope, "line">,
): void {
  const { line, line: { state } } = scope;
  const report = (text: string, why: string) => line.addUnknown({ text, why }, scope);
  for (const { raw, name, value } of node.assignments) {
    state.set(name, value);
    const why = words.length === 0 && !isHarmlessAssignment({ raw, name, value }, state.catalog)
      ? state.steeringReason(name)
      : undefined;
    if (why !== undefined) report(raw, why);
    if (words.length > 0 && !isFixed(value.shape) && state.catalog.holdsCommand(name)) {
      report(raw, `the command that "${name}" holds is not fixed`);
    }
  }
  const builtin = words[0]?.shape ?? "";
  if (builtin === "set" && words.slice(1).some(isParameter)) state.set("@");
  for (const { kind, value } of reading.uses) {
    if (kind !== "name") continue;
    const { name, text, appends } = assignmentOf(value);
    state.set(name, text);
    const shape = appends ? undefined : text?.shape;
    const why = state.steeringReason(name, shape);
    // All but `local` pass variables on to every later command.
    const isExported = DECLARES.has(builtin) && builtin !== "local" && text !== undefined;
    const isHarmless = state.catalog.isHarmlessVariable(name) ||
      builtin === "export" && state.catalog.variableKind(name, shape) === "switch";
    if (!isFixed(name) || !/^\w+$/.test(name)) {
      report(value.raw, "the variable that it sets is not fixed, or has an evaluated subscript");
    } else if (why !== undefined) report(value.raw, why);
    else if (isExported && !isHarmless) {
      report(value.raw, `"${name}" reaches every program that runs afterwards`);
    }
  }
}

/** True for a word of `set` that is no option. */
function isParameter({ shape }: Word): boolean {
  return !/^[-+]/.test(shape) || shape === "--";
}

/** The variable that `NAME`, `NAME=value` or `NAME+=value` sets, its value, and whether it is appended. */
function assignmentOf({ shape }: Word): { name: string; text?: Word; appends: boolean } {
  const equals = shape.indexOf("=");
  if (equals < 0) return { name: shape, appends: false };
  const name = shape.slice(0, equals).replace(/\+$/, "");
  const text = fixedWord(shape.slice(equals + 1));
  return { name, text, appends: shape[equals - 1] === "+" };
}
