/**
 * `deno task about ROOT [PROGRAM…]`: finds the forms by which programs tell about themselves, for defaults/about.toml. ROOT is a
 * folder tree that holds a system, as debootstrap makes it, with strace and the programs. Each form runs there under strace: as a
 * user, and once more as root on a terminal among files and variables that steer programs. A form counts if it ends soon, prints
 * its help or version both times, writes nothing, starts and reaches nothing, and looks for no file of the folder or the home.
 * Prints a line of JSON for each form: the program, the form, and the reason against it.
 */
import { isOwnName, namedForms, subCommandsIn, tells, TRIED } from "./forms.ts";
import { type Run, runForms } from "./sandbox.ts";
import { whyMore } from "./trace.ts";

const FOLDERS = ["usr/local/bin", "usr/bin", "usr/sbin", "usr/games"];

/** Programs that are tried at once. */
const LANES = 6;

interface Found {
  readonly program: string;
  readonly form: string;
  /** Undefined where the form counts. */
  readonly why?: string;
}

async function programsOf(root: string): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const folder of FOLDERS) {
    try {
      for await (const { name, isDirectory } of Deno.readDir(`${root}/${folder}`)) {
        if (isDirectory || !isOwnName(name)) continue;
        if (!await isAlternative(`${root}/${folder}/${name}`)) names.add(name);
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return [...names].toSorted();
}

/** True for a name that leads to one of several programs, as the administrator chooses. */
async function isAlternative(path: string): Promise<boolean> {
  const { isSymlink } = await Deno.lstat(path);
  return isSymlink && (await Deno.readLink(path)).startsWith("/etc/alternatives/");
}

/** True if the file of a program begins with `#!/usr/bin/env`, which starts the interpreter itself. */
async function isScriptOfEnv(root: string, program: string): Promise<boolean> {
  for (const folder of FOLDERS) {
    try {
      using file = await Deno.open(await Deno.realPath(`${root}/${folder}/${program}`));
      const buffer = new Uint8Array(64);
      await file.read(buffer);
      return /^#! ?\/usr\/bin\/env /.test(new TextDecoder().decode(buffer));
    } catch { /* a link out of the tree, or in another folder */ }
  }
  return false;
}

function whyNot(run: Run, isEnv: boolean): string | undefined {
  if (run.status === 124 || run.status === 137) return "does not end";
  if (!tells(run.form, run)) return `prints neither (status ${run.status})`;
  return whyMore(run.trace, isEnv);
}

/** The forms of a program, or of one with a sub-command, and the help that it printed. */
async function formsOf(
  root: string,
  { program, tried }: { readonly program: string; readonly tried: readonly string[] },
): Promise<{ readonly found: readonly Found[]; readonly help: string }> {
  const isEnv = await isScriptOfEnv(root, program.split(" ")[0]!);
  const first = await runForms(program, tried, { root, scene: "plain" });
  const help = first.filter(({ form }) => form === "--help" || form === "-h")
    .map(({ text }) => text).join("\n");
  const isSub = program.includes(" ") || await isAdministration(root, program);
  const named = isSub ? [] : namedForms(help);
  const more = named.length === 0 ? [] : await runForms(program, named, { root, scene: "plain" });
  const runs = isSub ? first.filter(({ form }) => form.startsWith("--")) : [...first, ...more];
  const version = runs.find(({ form }) => form === "--version");
  const judged = runs.map((run) => ({
    form: run.form,
    why: whyNot(run, isEnv) ?? whyOther(run, version),
  }));
  const good = judged.filter(({ why }) => why === undefined).map(({ form }) => form);
  const again = good.length === 0 ? [] : await runForms(program, good, { root, scene: "hostile" });
  const found = judged.map(({ form, why }) => {
    const second = again.find((run) => run.form === form);
    const reason = why ?? (second && whyNot(second, isEnv));
    return { program, form, ...(reason === undefined ? {} : { why: reason }) };
  });
  return { found, help };
}

/** A short form is one for the version only if it prints that of `--version`, where the program has it. */
function whyOther({ form, text }: Run, version: Run | undefined): string | undefined {
  const hasVersion = version !== undefined && version.status === 0 && tells("--version", version);
  const isShort = form === "-v" || form === "-V";
  return isShort && hasVersion && text.trim() !== version.text.trim()
    ? "prints no version"
    : undefined;
}

/** True for a program of the administrator: `-h` and the like may mean something else to it. */
async function isAdministration(root: string, program: string): Promise<boolean> {
  try {
    await Deno.lstat(`${root}/usr/sbin/${program}`);
    return true;
  } catch {
    return false;
  }
}

async function search(root: string, program: string): Promise<void> {
  const { found, help } = await formsOf(root, { program, tried: TRIED });
  for (const each of found) console.log(JSON.stringify(each));
  if (!found.some(({ form, why }) => form === "--help" && why === undefined)) return;
  for (const sub of subCommandsIn(help)) {
    const { found } = await formsOf(root, { program: `${program} ${sub}`, tried: ["--help"] });
    for (const each of found) console.log(JSON.stringify(each));
  }
}

if (import.meta.main) {
  const [root, ...names] = Deno.args;
  if (root === undefined) {
    console.error("The folder of a system is missing: deno task about ROOT [PROGRAM…]");
    Deno.exit(64);
  }
  const todo = [...(names.length > 0 ? names : await programsOf(root))];
  await Promise.all(Array.from({ length: LANES }, async () => {
    for (let next = todo.shift(); next !== undefined; next = todo.shift()) {
      await search(root, next);
    }
  }));
}
