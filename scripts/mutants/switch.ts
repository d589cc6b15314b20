/** The switch of a tree that holds every mutant at once: which one is on, and which places were reached. */
const MOST = 1 << 16;

/** Places that were reached since these were last cleared: mutants by their number. */
export const reached = new Uint8Array(MOST);
/** Files of which a function was called since these were last cleared. */
export const entered = new Uint8Array(MOST);

let active = initial();

/** True if mutant `id` is on. */
export function $m(id: number): boolean {
  reached[id] = 1;
  return id === active;
}

/** Says that a function of the file was called. */
export function $p(file: number): void {
  entered[file] = 1;
}

/** Switches a mutant on, and every other off; 0 is the tree as it is. */
export function switchTo(id: number): void {
  active = id;
}

/** Read from the environment, for what is decided while modules load and in processes that tests start. */
function initial(): number {
  try {
    const { process } = globalThis as {
      process?: { readonly env: Readonly<Record<string, string | undefined>> };
    };
    return Number(process?.env["CALIBAN_MUTANT"] ?? 0);
  } catch {
    return 0;
  }
}
