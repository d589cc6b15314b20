import type { CommandClass } from "../../model/call.ts";
import type { PathForm } from "../../pattern/path/call_path.ts";
import type { Request } from "../../policy/compile/request.ts";
import type { CommandTraits, Effect } from "../../shell/effect.ts";
import { BIT, bitsOf, classesIn } from "../../shell/programs/classes/class_set.ts";
import { harmlessLines } from "../../shell/programs/program_catalog.ts";
import { VERSION_FILES } from "../../shell/programs/version_files.ts";

/**
 * The classes of a command where it runs: `code` too where a file of the workspace may configure its program, and not `install`
 * where the program that it runs is there already.
 */
export function configuredClasses(
  traits: CommandTraits,
  request: Request,
): readonly CommandClass[] {
  const { classes, config, binary, packages } = traits;
  if (config.length === 0 && binary === undefined && packages === undefined) return classes;
  let bits = bitsOf(classes);
  if (config.length > 0 && isConfigured(traits, request)) {
    bits = bits & ~BIT.project | BIT.code;
  }
  if (binary !== undefined && isInstalled(binary, { traits, request })) bits &= ~BIT.install;
  if (
    packages !== undefined && (bits & BIT.install) !== 0 && hasAll(packages, { traits, request })
  ) {
    bits &= ~BIT.install;
  }
  return classesIn(bits);
}

/** True if a configuration file that may name a program lies in a folder of a command, or above it. */
export function isConfigured(
  { config, mayBeConfigured, folders, open }: Pick<
    CommandTraits,
    "config" | "mayBeConfigured" | "folders" | "open"
  >,
  request: Request,
): boolean {
  if (open || mayBeConfigured) return true;
  return folders.some((folder) =>
    foldersAbove(folder, request)?.some((at) =>
      config.some((name) => mayConfigure(request.textOf(`${at}/${name}`), name))
    ) ?? true
  );
}

/** True if a program is in a folder of the given name, in each of the folders that the command may run in. */
function isInstalled(
  { name, folder }: NonNullable<CommandTraits["binary"]>,
  { traits: { folders, open, mayBeConfigured }, request }: {
    readonly traits: CommandTraits;
    readonly request: Request;
  },
): boolean {
  if (open || mayBeConfigured) return false;
  return folders.every((each) =>
    foldersAbove(each, request)?.some((at) => request.namesIn(`${at}/${folder}`).includes(name))
  );
}

/** True if a look shows that a program has all that it needs, in each folder that the command may run in, and that it names. */
function hasAll(
  look: string,
  { traits: { folders, open, operands }, request }: {
    readonly traits: CommandTraits;
    readonly request: Request;
  },
): boolean {
  if (open || operands === undefined) return false;
  const named = /^go(?!lang)/.test(look)
    ? []
    : operands.map((path) => path.replace(/\/?\.\.\.$/, ""));
  return [...folders, ...named].every((folder) => {
    const path = request.path(folder === "" ? "." : folder);
    return path.ok && path.forms.every(({ root }) => request.hasPackages(look, `/${root}`));
  });
}

/**
 * A folder and those above it: in the workspace up to its root, outside of it all but the home folder and what lies above
 * that. Undefined if it cannot be resolved.
 */
export function foldersAbove(
  folder: string,
  request: Request,
  { isRootLeftOut = false } = {},
): readonly string[] | undefined {
  const path = request.path(folder === "" ? "." : folder);
  if (!path.ok) return undefined;
  if (!isRootLeftOut && path.forms.length === 1) return formsAbove(path.forms[0]!);
  return path.forms.flatMap((form) =>
    formsAbove(form).slice(0, isRootLeftOut && form.workspace !== undefined ? -1 : undefined)
  );
}

/** The last form that was asked about, most often that of the folder of the calls, and the folders above it. */
let lastAbove: { readonly form: PathForm; readonly found: readonly string[] } | undefined;

function formsAbove(form: PathForm): readonly string[] {
  if (lastAbove?.form !== form) lastAbove = { form, found: foldersUpFrom(form) };
  return lastAbove.found;
}

function foldersUpFrom({ root, workspace, home }: PathForm): readonly string[] {
  const count = namesIn(root);
  const least = workspace !== undefined
    ? count - (workspace === "" ? 0 : namesIn(workspace))
    : home !== undefined
    ? count - (home === "" ? 0 : namesIn(home)) + 1
    : 1;
  const found: string[] = [];
  let text = root;
  for (let length = count; length >= least && length > 0; length--) {
    found.push(text[1] === ":" && /^[A-Za-z]:/.test(text) ? text : `/${text}`);
    text = text.slice(0, Math.max(text.lastIndexOf("/"), 0));
  }
  return found;
}

/** The number of names between slashes. */
function namesIn(path: string): number {
  let count = 1;
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) count++;
  return count;
}

/** No longer file is looked at, in UTF-16 code units. */
const MAX_TEXT = 1 << 16;

/** No longer line is looked at, in UTF-16 code units. */
const MAX_LINE = 400;

/** The tests of harmless lines by their source; there are as many as configuration files in the tables. */
const lineTests = new Map<string, RegExp>();

function lineTest(source: string): RegExp {
  let test = lineTests.get(source);
  if (test === undefined) lineTests.set(source, test = new RegExp(`^(?:${source})$`, "u"));
  return test;
}

/** True if a configuration file may name a program, a host, a proxy or a credential; `text`: null if it is not there. */
function mayConfigure(text: string | null | undefined, name: string): boolean {
  if (text === null) return false;
  const lines = harmlessLines(name);
  if (text === undefined || lines === undefined || text.length > MAX_TEXT) return true;
  const harmless = lineTest(lines);
  return text.split(/\r?\n/).some((line) =>
    line.length > MAX_LINE || !/^\s*(?:[#;].*)?$/.test(line) && !harmless.test(line.trimEnd())
  );
}

/**
 * True if the name of a command leads to a manager of versions that may take the program from the workspace: one of its files is
 * there, and may name a folder. Without a look for programs no name is known to lead to one.
 */
export function mayBeOfFolder({ name, traits }: Effect, request: Request): boolean {
  if (name === undefined || name.includes("/") || !isManaged(name, request)) return false;
  const known = traits?.() ?? NOT_KNOWN;
  return !known.isBuiltin && mayBeVersioned(known, request);
}

/** The traits of a command whose line was read without them. */
const NOT_KNOWN: Pick<CommandTraits, "isBuiltin" | "folders" | "open" | "mayBeVersioned"> = {
  isBuiltin: false,
  folders: [""],
  open: false,
  mayBeVersioned: undefined,
};

/** True if a file that chooses the versions of programs lies in a folder of a command, or above it, and may name a folder. */
export function mayBeVersioned(
  { folders, open, ...known }: Pick<CommandTraits, "folders" | "open" | "mayBeVersioned">,
  request: Request,
): boolean {
  const mayBeConfigured = known.mayBeVersioned === true;
  return isConfigured({ config: VERSION_FILES, mayBeConfigured, folders, open }, request);
}

/** True if the name of a program leads to a manager of versions. */
function isManaged(name: string, request: Request): boolean {
  return !request.isSystemProgram(name, { mayLack: true, isDirect: true }) &&
    request.isSystemProgram(name, { mayLack: true });
}
