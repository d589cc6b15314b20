import defaults from "../../defaults/tools.json" with { type: "json" };
import type { Json, JsonObject } from "../model/call.ts";
import type { UnitVerdict } from "../model/verdict.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import type { Request } from "../policy/compile/request.ts";
import { baseName, ProgramCatalog } from "../shell/programs/program_catalog.ts";
import { isJsonObject } from "../text/json_value.ts";
import type { Evaluation } from "./evaluate.ts";
import { keyMeaning } from "./named_keys.ts";
import type { ProtectedUnit } from "./protected/check_protected.ts";
import { onDemand, remembered } from "../model/on_demand.ts";
import { joinedName } from "../pattern/unicode.ts";

/** Fields that raise rights, and their values that do or do not. */
interface RightsFields {
  readonly fields: readonly string[];
  /** The values that raise nothing, besides false, null and empty ones. */
  readonly safe?: readonly string[];
  /** The only values that raise something. */
  readonly raises?: readonly string[];
}

const RIGHTS: readonly RightsFields[] = defaults.rights;

const byName = onDemand((): ReadonlyMap<string, RightsFields> =>
  new Map(
    RIGHTS.flatMap((rights) => rights.fields.map((field) => [plain(field), rights] as const)),
  )
);

/** True if an allow rule that names this field lifts a check that it causes. */
export function isRaisingField(key: string): boolean {
  const name = plain(key.slice(key.lastIndexOf(".") + 1));
  return byName().has(name) || SURROUNDINGS.has(name);
}

/** The levels of an input that are read, and the most members. */
const MAX_DEPTH = 64;
const MAX_MEMBERS = 20_000;

/** A field of a call that makes it more than its rules speak of. */
interface RaisedField {
  /** The dotted path. */
  readonly key: string;
  readonly why: string;
}

/**
 * The units with a safety check for fields that leave a sandbox, raise rights or change what runs the command, unless every
 * allow rule that decides names the field. A call that is denied needs none.
 */
export function withRightsCheck(
  units: readonly ProtectedUnit[],
  { policy, evaluation }: { readonly policy: CompiledPolicy; readonly evaluation: Evaluation },
): readonly ProtectedUnit[] {
  const { request, verdict } = evaluation;
  if (verdict.action === "deny") return units;
  const field = raisedFields(request).find(({ key }) => !isNamed(key, { policy, evaluation }));
  if (field === undefined) return units;
  const reason = `"${field.key}" ${field.why}, and no allow rule names that field`;
  const at = units.findIndex(({ unit }) => unit.kind === "call");
  if (at < 0) return [...units, { unit: unitOf(field, request), check: reason }];
  return units.map((each, index) => index === at ? { check: reason, ...each } : each);
}

function unitOf({ key }: RaisedField, { call }: Request): UnitVerdict {
  return {
    kind: "call",
    text: key,
    via: "its input",
    depth: 0,
    tool: call.tool,
    action: "allow",
    by: "rule",
    rule: null,
    reason: "no deny or ask rule matches it",
    steps: [],
    classes: [],
  };
}

/** True if every rule that allows a part of the call names the field; false without one. */
function isNamed(
  key: string,
  { policy, evaluation: { request, verdict } }: {
    readonly policy: CompiledPolicy;
    readonly evaluation: Evaluation;
  },
): boolean {
  const { name } = request.profile;
  const allowing = verdict.units.flatMap(({ rule, tool }) =>
    rule?.action === "allow" && tool === name ? [rule.index] : []
  );
  const rules = policy.toolRules(name).filter(({ rule }) => allowing.includes(rule.index));
  return rules.length > 0 && rules.every(({ specifier }) =>
    specifier?.kind === "fields" &&
    specifier.fields.some((field) => field.key === key && !field.negated)
  );
}

function raisedFields(request: Request): readonly RaisedField[] {
  const { profile, call: { input } } = request;
  const found: RaisedField[] = [];
  const left = { members: MAX_MEMBERS, isCut: false };
  readMembers(input, { at: [], found, left });
  if (left.isCut) found.push({ key: "input", why: "is too deep or too large to read in full" });
  const { unknownFolder: key } = request;
  if (key !== undefined) found.push({ key, why: "names a folder that cannot be resolved" });
  // A tool of the tables runs its first argument, under any key.
  return profile.kind === "command" && hasSurroundings(input) && !runsCommand(input)
    ? [...found, ...surroundings(input, [])]
    : found;
}

interface Reading {
  readonly at: readonly string[];
  readonly found: RaisedField[];
  /** The members that may still be read; cut if there are more, or deeper ones. */
  readonly left: { members: number; isCut: boolean };
}

function readMembers(value: Json, { at, found, left }: Reading): void {
  if (typeof value !== "object" || value === null) return;
  if (at.length > MAX_DEPTH) {
    left.isCut = true;
    return;
  }
  if (isJsonObject(value) && hasSurroundings(value) && runsCommand(value)) {
    found.push(...surroundings(value, at));
  }
  const isList = Array.isArray(value);
  for (const [key, member] of Object.entries(value)) {
    if (left.members-- <= 0) {
      left.isCut = true;
      return;
    }
    const rights = isList ? undefined : keyRights(key).rights;
    if (rights && raises(member, rights)) {
      found.push({ key: [...at, key].join("."), why: "leaves a sandbox or raises rights" });
    } else if (typeof member === "object" && member !== null) {
      readMembers(member, { at: [...at, key], found, left });
    }
  }
}

/** The meaning of a key for the rights of a call. */
interface KeyRights {
  readonly rights: RightsFields | undefined;
  readonly surroundings: "shell" | "environment" | "input" | undefined;
}

const keyRights = remembered((key): KeyRights => {
  const name = plain(key);
  return { rights: byName().get(name), surroundings: SURROUNDINGS.get(name) };
});

function raises(value: Json, { safe, raises: only }: RightsFields): boolean {
  const words = wordsOf(value);
  if (only) return words.some((word) => only.some((each) => plain(each) === plain(word)));
  return words.some((word) =>
    !NOTHING.has(plain(word)) && !(safe ?? []).some((each) => plain(each) === plain(word))
  );
}

const NOTHING: ReadonlySet<string> = new Set(["", "false", "0", "no", "off", "null", "none"]);

/** The texts of a value: itself, or those in a list; of an object its JSON. */
function wordsOf(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => wordsOf(each));
  if (isJsonObject(value)) return Object.keys(value).length === 0 ? [] : [JSON.stringify(value)];
  return [value === null ? "" : String(value)];
}

/** The name or value in lower case, without what joins its words. */
function plain(text: string): string {
  return joinedName(text.slice(0, 256));
}

/** The fields that name the surroundings of a command. */
const SURROUNDINGS: ReadonlyMap<string, "shell" | "environment" | "input"> = new Map([
  ["shell", "shell"],
  ["shellpath", "shell"],
  ["shellexecutable", "shell"],
  ["shellprogram", "shell"],
  ["interpreter", "shell"],
  ["executable", "shell"],
  ["stdin", "input"],
  ["stdininput", "input"],
  ["standardinput", "input"],
  ["env", "environment"],
  ["envs", "environment"],
  ["environ", "environment"],
  ["environments", "environment"],
  ["envvar", "environment"],
  ["extraenv", "environment"],
  ["vars", "environment"],
  ["variables", "environment"],
  ["environment", "environment"],
  ["envvars", "environment"],
  ["environmentvariables", "environment"],
]);

/** True for an object with a text under a key of commands: an undescribed tool may run it. */
function runsCommand(object: JsonObject): boolean {
  return Object.entries(object).some(([key, value]) =>
    (typeof value === "string" || Array.isArray(value)) &&
    keyRights(key).surroundings === undefined && keyMeaning(key)?.names.has("command") === true
  );
}

/** True for an object with a field that names the surroundings of a command, which few have. */
function hasSurroundings(object: JsonObject): boolean {
  return Object.keys(object).some((key) => keyRights(key).surroundings !== undefined);
}

const NO_FIELDS: readonly RaisedField[] = [];

/** A shell, an environment or an input beside a command that makes it another command. */
function surroundings(input: JsonObject, at: readonly string[]): readonly RaisedField[] {
  return Object.entries(input).flatMap(([name, value]): readonly RaisedField[] => {
    const { surroundings: kind } = keyRights(name);
    if (kind === undefined) return NO_FIELDS;
    const key = [...at, name].join(".");
    switch (kind) {
      case "shell":
        return isUsualShell(value) ? [] : [{ key, why: "names another shell" }];
      case "environment":
        return isHarmlessEnvironment(value) ? [] : [{ key, why: "sets variables" }];
      case "input":
        return wordsOf(value).every((word) => word === "")
          ? []
          : [{ key, why: "is read by the command" }];
    }
  });
}

/** True for the shells that a line is analysed for, and for no shell. */
function isUsualShell(value: Json): boolean {
  if (typeof value === "boolean" || value === null || value === "") return true;
  if (typeof value !== "string") return false;
  const folder = value.slice(0, value.length - baseName(value).length);
  return /^(?:bash|zsh|sh)$/.test(baseName(value)) &&
    ["", "/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].includes(folder);
}

let catalog: ProgramCatalog | undefined;

function isHarmlessEnvironment(value: Json): boolean {
  const names = isJsonObject(value)
    ? Object.keys(value)
    : wordsOf(value).flatMap((word) => word.split(/[\n\r;]/)).map((word) => word.trim())
      .filter((word) => word !== "").map((word) => word.split("=")[0]!);
  const programs = catalog ??= new ProgramCatalog();
  return names.every((name) => programs.isHarmlessVariable(name));
}
