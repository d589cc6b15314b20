/** The text of `tests/cases/shell/programs.ts`, the module that imports every proof table; by their file names. */
export function proofIndex(names: readonly string[]): string {
  const sorted = names.toSorted();
  const imports = sorted.map((name, index) =>
    `import p${index} from "./programs/${name}" with { type: "json" };`
  );
  return [
    "// Generated from the names in programs/: `UPDATE=1 deno task test:io` writes it.",
    'import type { ProofTable } from "../../support/shell_proof.ts";',
    ...imports,
    "",
    "/** Every proof table, by the name of its file. */",
    "export const PROOF_TABLES: readonly ProofTable[] = [",
    ...sorted.map((_name, index) => `  p${index},`),
    "];",
    "",
  ].join("\n");
}
